"""A process that builds sites when told to: each build in a fork of its own, or all in this one, as a preview does.

It reads JSON lines ``{"root": …, "out": …}`` and answers each with the warnings of the build, sorted, the error that
ended it, and what ``knit check`` finds. Run as ``python builder.py fork`` or ``python builder.py stay``.
"""

import json
import logging
import os
import re
import sys

os.environ["NO_MKDOCS_2_WARNING"] = "1"

import material.plugins.search.plugin
import mkdocs_jupyter.plugin
import mkdocstrings  # noqa: F401 - imported before the first fork
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


def build_once(root, out):
    """Build as a preview does, which shows problems in their places."""
    os.chdir(root)
    told = Told()
    logging.getLogger("mkdocs").addHandler(told)
    try:
        config = load_config(f"{root}/mkdocs.yml", site_dir=out)
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


def main(mode):
    logging.getLogger("mkdocs").addHandler(logging.NullHandler())
    for line in sys.stdin:
        job = json.loads(line)
        if mode == "stay":
            answer, _ = build_once(**job)
        else:
            reading, writing = os.pipe()
            if os.fork() == 0:
                answer, config = build_once(**job)
                config.plugins.on_shutdown()
                with os.fdopen(writing, "w") as pipe:
                    json.dump(answer, pipe)
                os._exit(0)
            os.close(writing)
            with os.fdopen(reading) as pipe:
                answer = json.load(pipe)
            os.wait()
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
