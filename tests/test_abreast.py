"""Pages that are made by several processes at once."""

import os
import sys
import time

import pytest

from knit.abreast import LEAST, Abreast, _shares
from knit.processes import cores

PAGES = {f"{number}.md": 10 + 7 * number for number in range(3 * LEAST)}
several = pytest.mark.skipif(sys.platform != "linux" or cores() == 1, reason="one process makes all pages here")


def wait_for(path):
    while not path.exists():
        time.sleep(0.01)


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_shares_hold_every_page_in_order_and_about_as_much_text(count):
    shares = _shares(PAGES, count)
    assert [page for share in shares for page in share] == list(PAGES)
    efforts = [sum(PAGES[page] for page in share) for share in shares]
    assert max(efforts) - min(efforts) <= 2 * max(PAGES.values())


@several
def test_each_page_is_made_once_in_a_process_of_its_own_or_left(tmp_path):
    def make(share):
        for page in share:
            (tmp_path / page).write_text(str(os.getpid()))

    abreast = Abreast()
    abreast.begin(PAGES, make)
    made = [page for page in PAGES if abreast.made(page)]
    assert made == list(PAGES)[-len(made) :]
    assert 0 < len(made) < len(PAGES)
    assert {path.name for path in tmp_path.iterdir()} == set(made)
    assert str(os.getpid()) not in {path.read_text() for path in tmp_path.iterdir()}
    assert not any(abreast.made(page) for page in PAGES)


@several
def test_a_process_that_fails_says_nothing_and_is_not_waited_for_twice(capfd):
    def make(share):
        print(share)
        raise SystemExit(share)

    abreast = Abreast()
    abreast.begin(PAGES, make)
    assert [page for page in PAGES if abreast.made(page)]
    abreast.end()
    assert capfd.readouterr() == ("", "")


@several
def test_a_build_that_is_broken_off_leaves_no_process(tmp_path):
    def make(_):
        (tmp_path / "pid").write_text(str(os.getpid()))
        (tmp_path / "begun").touch()
        time.sleep(1000)

    abreast = Abreast()
    abreast.begin(PAGES, make)
    wait_for(tmp_path / "begun")
    abreast.end()
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_few_pages_are_made_here():
    def make(share):
        raise AssertionError(share)

    abreast = Abreast()
    abreast.begin(dict.fromkeys(list(PAGES)[:LEAST], 1), make)
    assert not any(abreast.made(page) for page in PAGES)
