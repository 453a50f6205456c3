"""A script cannot take the build down: each misdeed ends in one clear line, and the other scripts are well."""

import os

import pytest

MISDEEDS = {
    "loop": ("while True: pass", "still running after 1 s"),
    "sleep": ("import time\ntime.sleep(600)", "still waiting after 10 s"),
    "exit": ("import sys\nsys.exit(0)", "line 2: the script called sys.exit(0)"),
    "os-exit": ("import os\nos._exit(0)", "the process ended before the script did"),
    "raise": ("y = 1\nraise ValueError('so')", "line 2: ValueError: so"),
    "syntax": ("y = = 1", "line 1: SyntaxError: invalid syntax"),
    "crash": ("import ctypes\nctypes.string_at(0)", "SIGSEGV"),
    "memory": ("import numpy as np\nbig = np.ones((2 << 30,))", "line 2:"),
    "print": ("for i in range(10**6): print('0123456789')", "printed more than 10000 characters"),
    "fork": (
        "import os, time\nif os.fork() == 0: time.sleep(60)",
        "line 2: PermissionError: a script may not start processes",
    ),
    "thread": (
        "import threading, time\nthreading.Thread(target=time.sleep, args=[60]).start()",
        "left a thread running",
    ),
    "kill": (
        "import os, time\nos.kill(os.getppid(), 9)\ntime.sleep(5)",
        "the process that runs scripts ended",
    ),
    "stdin": ("x = input()", "EOFError"),
    "write": ("open('left.txt', 'w').write('x')", "may not write files: left.txt"),
    "import": ("import no_such_module", "No module named 'no_such_module'"),
}


@pytest.mark.parametrize("misdeed", MISDEEDS)
def test_a_misdeed_is_one_clear_line(empty_workshop, misdeed):
    source, told = MISDEEDS[misdeed]
    empty_workshop.write("snippets/s.py", source)
    empty_workshop.write("snippets/well.py", "y = 1\n")
    course, _ = empty_workshop.look()
    assert course.results.outcomes["snippets/well.py"].result.values == {"y": 1}
    found = [problem for problem in empty_workshop.problems() if not problem.startswith("snippets/well.py")]
    assert len(found) == 2, found
    line = told.removeprefix("line ").partition(":")[0] if told.startswith("line ") else ""
    for language, problem in zip(("en", "zh"), found, strict=True):
        assert problem.startswith(f"docs/{language}/page.md:6: the script did not run: ")
        assert told.removeprefix(f"line {line}: ").removeprefix(f"line {line}:") in problem
        assert f" · snippets/s.py:{line}" in problem
    assert not (empty_workshop.root / "left.txt").exists()


def test_only_listed_variables_reach_a_script(empty_workshop, monkeypatch):
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    monkeypatch.setenv("LANG", "C.UTF-8")
    empty_workshop.write("snippets/s.py", "import os\nx = sorted(os.environ)\n")
    names = empty_workshop.look()[0].results.outcomes["snippets/s.py"].result.values["x"]
    assert "LANG" in names
    assert "GITHUB_TOKEN" not in names


def test_no_process_and_no_folder_is_left(empty_workshop):
    empty_workshop.write("snippets/s.py", "import os\nx = os.getpid()\n")
    pid = empty_workshop.look()[0].results.outcomes["snippets/s.py"].result.values["x"]
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert not list((empty_workshop.root / ".cache" / "knit").glob("run-*"))
