"""A process that builds sites when told to: in itself, as a preview does, or each in a fork of its own.

It reads JSON lines ``{"root": …, "out": …, "incremental": …, "how": …}`` (see `HOW`) and answers each with the warnings
of the build, sorted, the error that ended it, and what ``knit check`` finds. Run as ``python builder.py FOLDER``: the
folder keeps what is the same for every course, compiled templates.
"""

import json
import logging
import os
import re
import sys

os.environ["NO_MKDOCS_2_WARNING"] = "1"

import jieba
import jinja2
import material.plugins.search.plugin  # noqa: F401 - imported before the first fork
import mkdocs_jupyter.plugin  # noqa: F401
import mkdocstrings  # noqa: F401
from mkdocs.commands.build import build
from mkdocs.config import load_config

import knit.site.bilingual
import knit.site.plugin  # noqa: F401
from knit.check.course import problems


class Told(logging.Handler):
    def __init__(self):
        super().__init__(logging.WARNING)
        self.messages = []

    def emit(self, record):
        self.messages.append(record.getMessage())


def build_once(root, out, incremental):
    """Build as a preview does, which shows problems in their places."""
    os.chdir(root)
    told = Told()
    logging.getLogger("mkdocs").addHandler(told)
    try:
        config = load_config(f"{root}/mkdocs.yml", site_dir=out)
        config.plugins["knit"].config.incremental = incremental
        config.plugins.on_startup(command="serve", dirty=False)
        build(config, serve_url="http://localhost/")
        error = None
    except (Exception, SystemExit) as failure:  # noqa: BLE001 - told to the test
        error = type(failure).__name__
    logging.getLogger("mkdocs").removeHandler(told)
    course = config.plugins["knit"]._course
    # Drawings of former figures are on one machine only.
    found = [re.sub(r" \(see \.cache.*?\)", "", str(problem)) for problem in problems(course)] if course else []
    return {"warnings": sorted(told.messages), "error": error, "problems": found}, config


def keep_templates(folder):
    """Compile each template once: Jinja keeps it under its source."""
    made, kept = jinja2.Environment.__init__, jinja2.FileSystemBytecodeCache(folder)

    def make(self, *args, **options):
        made(self, *args, **{"bytecode_cache": kept, **options})

    jinja2.Environment.__init__ = make


def build_and_close(**job):
    """Build as a command does, which ends what it started."""
    answer, config = build_once(**job)
    config.plugins.on_shutdown()
    return answer


def build_in_fork(**job):
    """Build with nothing that a former build left in memory, but modules that it loaded."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        with os.fdopen(writing, "w") as pipe:
            json.dump(build_and_close(**job), pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        answer = json.load(pipe)
    os.wait()
    return answer


HOW = {"stay": lambda **job: build_once(**job)[0], "close": build_and_close, "fork": build_in_fork}


def main(folder):
    keep_templates(folder)
    jieba.initialize()
    logging.getLogger("mkdocs").addHandler(logging.NullHandler())
    for line in sys.stdin:
        job = json.loads(line)
        print(json.dumps(HOW[job.pop("how")](**job)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
