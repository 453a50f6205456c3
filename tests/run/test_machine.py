"""What a machine does to a build: a full disk, a store that cannot be written, two builds at once, Ctrl-C."""

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from functools import partial

import pytest

KNIT = [sys.executable, "-m", "knit.cli"]


def knit(root, *arguments, **more):
    """Start a command of knit in a course."""
    return subprocess.Popen(
        [*KNIT, *arguments], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more
    )


def ended(process):
    """Wait for a command: its exit code, and what it said."""
    out, err = process.communicate(timeout=120)
    return process.returncode, out + err


def files(root):
    return {path.relative_to(root) for path in (root / ".cache/knit").rglob("*") if path.is_file()}


def small_files_only(size):
    def limit():
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))

    return limit


def test_a_full_disk_costs_the_store_and_nothing_else(new_workshop):
    # No file may be longer than some letters, as if there were no room for more; workers lift that for themselves.
    code, said = ended(knit(new_workshop.root, "check", preexec_fn=small_files_only(100)))
    assert code == 0, said
    assert said.count("are not kept, it will run again: ") == 2
    assert "File too large" in said
    assert "Traceback" not in said
    assert not [path for path in files(new_workshop.root) if path.name.startswith(".new-")]
    assert new_workshop.executions() == ["snippets/balls.py", "snippets/boxes.py"]


def test_results_that_find_no_room_are_a_clear_line(empty_workshop):
    empty_workshop.write("snippets/s.py", "x = 'a' * 5000\n")
    empty_workshop.write("mkdocs.yml", "site_name: T\nplugins:\n  - knit\n")

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    code, said = ended(knit(empty_workshop.root, "check", preexec_fn=limit))
    assert code == 1
    assert "what it computed could not be written: is the disk full? · snippets/s.py:1" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("blocked", [".cache", ".cache/knit", ".cache/knit/results", ".cache/knit/uses"])
def test_a_store_that_cannot_be_written_costs_time_and_nothing_else(new_workshop, blocked):
    # A file where a folder should be stops everyone; permissions do not stop the superuser.
    path = new_workshop.root / blocked
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    for _ in range(2):
        code, said = ended(knit(new_workshop.root, "check"))
        assert code == 0, said
        assert "2 scripts run" in said
        assert "Traceback" not in said
        assert said.count("are not kept") == 2


def test_two_builds_at_once_lose_nothing(new_workshop):
    both = [knit(new_workshop.root, "check") for _ in range(2)]
    for process in both:
        code, said = ended(process)
        assert code == 0, said
    assert new_workshop.executions() == []
    assert new_workshop.problems() == []


def test_ctrl_c_leaves_nothing_behind(empty_workshop):
    empty_workshop.write("mkdocs.yml", "site_name: T\nplugins:\n  - knit\n")
    mark = empty_workshop.root / "pid"
    empty_workshop.write("snippets/s.py", f"import os, time\nprint(os.getpid())\nx = 1\ntime.sleep(60)  # {mark}\n")
    # A shell that runs the tests in the background has them ignore Ctrl-C, and with them what they start.
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    process = knit(empty_workshop.root, "check", start_new_session=True, preexec_fn=heard)
    cache = empty_workshop.root / ".cache/knit"
    end = time.monotonic() + 30
    while not list(cache.glob("run-*/spill")) and time.monotonic() < end:
        time.sleep(0.05)
    assert list(cache.glob("run-*/spill")), "the script never began"
    workers = running_under(process.pid)
    assert workers
    os.kill(process.pid, signal.SIGINT)
    code, said = ended(process)
    assert (code, said) == (130, "")
    assert not list(cache.glob("run-*"))
    end = time.monotonic() + 10
    while (left := [pid for pid in workers if alive(pid)]) and time.monotonic() < end:
        time.sleep(0.05)
    assert left == []


def running_under(pid):
    """The processes that descend from one."""
    parents = {}
    listing = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    for line in listing.splitlines():
        child, parent = map(int, line.split())
        parents[child] = parent
    found = [pid]
    for each in found:
        found += [child for child, parent in parents.items() if parent == each]
    return found[1:]


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_script_sets_its_own_limits(empty_workshop):
    empty_workshop.write("snippets/s.py", "# knit: limits output=100\nprint('x' * 50_000)\nx = 1\n")
    assert empty_workshop.look()[0].results.outcomes["snippets/s.py"].result.values == {"x": 1}
    empty_workshop.write("snippets/s.py", "# knit: limits output=1, memory=900\nprint('x' * 2000)\nx = 1\n")
    assert "printed more than 1024 characters" in empty_workshop.problems()[0]


@pytest.mark.parametrize("line", ["minutes=3", "seconds", "seconds=x", "seconds=1 memory=2", ""])
def test_a_limit_that_cannot_be_read_is_a_clear_line(empty_workshop, line):
    empty_workshop.write("snippets/s.py", f"# knit: limits {line}\nx = 1\n")
    assert "write # knit: limits seconds=120, memory=4096, output=2048" in empty_workshop.problems()[0]


REFUSED = {
    "folder": ("import os\nos.chdir('/')", "a script may not change the working folder"),
    "program": ("import subprocess\nsubprocess.run(['ls'])", "a script may not start programs"),
    "shell": ("import os\nos.system('ls')", "a script may not start programs"),
    "network": (
        "import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(('127.0.0.1', 9))",
        "a script may not use the network",
    ),
    "settings": ("import matplotlib as mpl\nmpl.rcParams['font.size'] = 30", "the script changes rcParams"),
    "pyplot": ("import matplotlib.pyplot as plt\nplt.rc('font', size=30)", "the script changes rcParams"),
    "move": (
        "import os, tempfile\nopen((p := tempfile.mkdtemp() + '/f'), 'w').close(); os.rename(p, 'left.txt')",
        "a script may not write files: left.txt",
    ),
    "link": ("import os\nos.symlink('/etc', 'left.txt')", "a script may not write files: "),
}


@pytest.mark.parametrize("misdeed", REFUSED)
def test_what_a_script_may_not_do_is_told_at_its_line(empty_workshop, misdeed):
    source, told = REFUSED[misdeed]
    empty_workshop.write("snippets/s.py", f"{source}\nx = 1\n")
    problem = empty_workshop.problems()[0]
    assert told in problem
    assert problem.endswith(" · snippets/s.py:2")
    assert not (empty_workshop.root / "left.txt").exists()


def test_importing_pyplot_and_a_context_of_settings_are_well(empty_workshop):
    source = (
        "import matplotlib.pyplot as plt\nwith plt.rc_context({'font.size': 30}):\n    x = plt.rcParams['font.size']\n"
    )
    empty_workshop.write("snippets/s.py", source)
    assert empty_workshop.look()[0].results.outcomes["snippets/s.py"].result.values == {"x": 30}


def test_the_memory_of_files_is_made_anew_when_damaged(workshop):
    shutil.copytree(workshop.root / ".cache", workshop.root / "kept")
    for file in (workshop.root / ".cache/knit/code").glob("*.json"):
        file.write_text("{")
    assert workshop.executions() == []
