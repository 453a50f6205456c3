"""The surface: every public name is described, shown in an example that runs, and cheap to import."""

import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import attn

MODULES = sorted(module.name for module in pkgutil.iter_modules(attn.__path__, "attn."))
FUNCTIONS = [name for name in attn.__all__ if inspect.isfunction(getattr(attn, name))]


def section(name, title):
    """Return a section of a numpydoc docstring."""
    doc = inspect.getdoc(getattr(attn, name))
    found = re.search(rf"^{title}\n-+\n(.*?)(?=^\w+\n-+$|\Z)", doc, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def module_of(name):
    return importlib.import_module(getattr(attn, name).__module__)


def test_all_is_sorted_and_complete():
    imported = {name for name, value in vars(attn).items() if callable(value) and not name.startswith("_")}
    assert imported == set(attn.__all__)
    assert len(attn.__all__) == len(set(attn.__all__))


@pytest.mark.parametrize("name", MODULES)
def test_what_is_not_exported_is_private(name):
    if name.startswith("attn._"):
        return
    for key, value in vars(importlib.import_module(name)).items():
        if callable(value) and getattr(value, "__module__", "") == name and not key.startswith("_"):
            assert key in attn.__all__


@pytest.mark.parametrize("name", attn.__all__)
def test_every_name_has_an_example(name):
    assert ">>> " in section(name, "Examples")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_argument_and_result_is_described(name):
    described = section(name, "Parameters")
    listed = set(re.findall(r"\w+", " ".join(re.findall(r"^([\w, ]+?)(?= :|$)", described, re.MULTILINE))))
    assert set(inspect.signature(getattr(attn, name)).parameters) <= listed
    assert section(name, "Returns")


@pytest.mark.parametrize("name", MODULES)
def test_an_argument_has_a_line_of_its_own_unless_its_type_is_the_others(name):
    for line in Path(importlib.import_module(name).__file__).read_text(encoding="utf-8").splitlines():
        entry = re.fullmatch(r" +\w+(?:, \w+)+ : (.*)", line)
        # Without what stands in brackets, and "optional", no comma is left.
        assert not (entry and "," in re.sub(r"\([^()]*\)|, optional$", "", entry[1])), line


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    outcome = doctest.testmod(importlib.import_module(name), verbose=False)
    assert outcome.failed == 0
    assert "._" in name or outcome.attempted > 0


@pytest.mark.parametrize("name", MODULES)
def test_a_module_is_one_idea(name):
    module = importlib.import_module(name)
    assert module.__doc__.split("\n")[0].rstrip().endswith((".", ","))
    assert len(Path(module.__file__).read_text(encoding="utf-8").splitlines()) <= 200


def test_importing_attn_brings_numpy_only():
    code = "import sys, numpy; before = set(sys.modules); import attn; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    brought = {name.partition(".")[0] for name in done.stdout.split()} - {"attn", "numpy"}
    assert brought <= set(sys.stdlib_module_names)
