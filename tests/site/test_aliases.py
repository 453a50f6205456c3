"""Names by which documented objects are known: the same whichever pages were converted, in whatever order."""

import griffe
import pytest
from mkdocstrings import Inventory

from knit.site.aliases import Aliases
from knit.site.replay import inventory

FIRST = [("pack.a", 1, "first"), ("pack.b", 2, "first")]
SECOND = [("pack.b", 2, "second"), ("pack.c", 2, "second")]


def registered(pages):
    """Register as mkdocstrings does, each page in a process that knows of no other; then all, one after another."""
    calls = []
    for page in pages:
        alone = inventory(Inventory(project="p"))
        calls += [call for call in page if call[1] == 1 or call[0] not in alone]
    found = inventory(Inventory(project="p"))
    for name, priority, uri in calls:
        found.register(name=name, domain="py", role="function", priority=priority, uri=uri)
    return {name: item.uri for name, item in found.items()}


def test_of_two_pages_that_know_an_object_by_the_same_name_the_first_has_the_say():
    assert registered([FIRST, SECOND]) == {"pack.a": "first", "pack.b": "first", "pack.c": "second"}
    assert registered([SECOND, FIRST]) == {"pack.a": "first", "pack.b": "second", "pack.c": "second"}


def test_an_objects_own_name_is_its_own():
    assert registered([SECOND, [("pack.b", 1, "third")]])["pack.b"] == "third"


@pytest.mark.parametrize("at", ["__init__.py", "other.py"])
def test_who_imports_an_object_is_known_before_anybody_looks_there(tmp_path, at):
    package = tmp_path / "pack"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "flat.py").write_text("def cube(side):\n    return side**3\n")
    (package / at).write_text("from pack.flat import cube\n")
    found = griffe.load("pack", search_paths=[tmp_path], extensions=griffe.load_extensions(Aliases))
    assert list(found["flat.cube"].aliases) == ["pack.cube" if at == "__init__.py" else "pack.other.cube"]
