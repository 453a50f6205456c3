"""Everything that a function's result can depend on, as a digest; or the finding that nobody can know.

Of a function, that is its code and what its names stand for: other functions and classes of the course by their
code, data by its bytes, functions of a few well-known packages by their names. Nothing is taken on trust: what is not
among these makes the whole unknown. Lines and comments are not part of it.
"""

from __future__ import annotations

import builtins
import dis
import hashlib
import struct
import sys
from collections.abc import Callable
from functools import cache
from itertools import takewhile
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FunctionType,
    MappingProxyType,
    MethodType,
    ModuleType,
)
from typing import Any

import numpy as np

from knit.claims import MARK

PURE = frozenset({
    "bisect", "cmath", "collections", "colorsys", "dataclasses", "fractions", "functools", "heapq", "itertools",
    "knit", "math", "matplotlib", "numbers", "numpy", "operator", "re", "statistics", "string", "textwrap",
    "typing", "unicodedata",
})  # fmt: skip
"""Top-level modules whose functions give the same for the same, but for what is in them under ``STATEFUL``."""

STATEFUL = ("numpy.random", "matplotlib.pyplot", "operator.attrgetter", "operator.methodcaller", "knit.run")
"""Parts of these that remember something, or that reach what no name tells."""

UNKNOWN_NAMES = frozenset({
    "breakpoint", "compile", "delattr", "dir", "eval", "exec", "getattr", "globals", "hash", "id", "input",
    "locals", "open", "setattr", "vars", "__import__",
})  # fmt: skip
"""Builtin functions that reach what no name tells, or that differ from process to process."""

OF_NUMPY = type(np.dot)
"""The type of most of numpy's functions."""

LOADS = frozenset({"LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL", "DELETE_GLOBAL", "LOAD_CLASSDEREF"})
ATTRIBUTES = frozenset({"LOAD_ATTR", "LOAD_METHOD"})
OWN_TO_CLASSES = frozenset({
    "__dict__", "__weakref__", "__doc__", "__module__", "__annotations__", "__dataclass_fields__",
    "__dataclass_params__", "__abstractmethods__", "_abc_impl", "__parameters__", "__orig_bases__",
    "__static_attributes__", "__firstlineno__",
})  # fmt: skip


class Unknown(Exception):  # noqa: N818 - reads as what was found
    """What a function depends on cannot be known."""


class Reach:
    """Collects what objects depend on. ``is_own`` says whether a module, by its name, is one of the course's."""

    def __init__(self, is_own: Callable[[str], bool]) -> None:
        self._is_own = is_own
        self._hash = hashlib.sha256()
        self._seen: dict[int, int] = {}
        self._held: list[object] = []

    def digest(self) -> str:
        """Give the digest of all that was added."""
        return self._hash.hexdigest()

    def add(self, thing: object) -> None:
        """Add an object with all that it depends on.

        Raises
        ------
        Unknown
            When that cannot be known.

        """
        if self._plain(thing):
            return
        if id(thing) in self._seen:
            self._tell("again", self._seen[id(thing)])
            return
        self._seen[id(thing)] = len(self._seen)
        self._held.append(thing)  # or another object might get its id
        self._tell(type(thing).__qualname__)
        if not self._data(thing):
            self._code_or_object(thing)

    def _data(self, thing: object) -> bool:
        """Add an array or a collection."""
        if isinstance(thing, np.ndarray) and type(thing) is np.ndarray and not thing.dtype.hasobject:
            self._tell(repr(thing.dtype), thing.shape, thing.strides)
            self._hash.update(thing.tobytes())
        elif isinstance(thing, list | tuple | set | frozenset) and type(thing) in {list, tuple, set, frozenset}:
            self._all(thing)
        elif isinstance(thing, dict | MappingProxyType) and type(thing) in {dict, MappingProxyType}:
            self._all(part for item in thing.items() for part in item)
        else:
            return False
        return True

    def _code_or_object(self, thing: object) -> None:
        match thing:
            case FunctionType():
                self._function(thing)
            case MethodType():
                self._all((thing.__func__, thing.__self__))
            case BuiltinFunctionType() | np.ufunc() | type() | OF_NUMPY() if self._pure(thing):
                pass
            case type() if self._is_own(thing.__module__) and type(thing) is type:
                self._class(thing)
            case staticmethod() | classmethod():
                self.add(thing.__func__)
            case property():
                self._all((thing.fget, thing.fset, thing.fdel))
            case CellType():
                self.add(_content(thing))
            case _:
                self._instance(thing)

    def _plain(self, thing: object) -> bool:
        """Add a number or a text."""
        kind = type(thing)
        if thing is None or thing is Ellipsis or kind in {bool, int, str, bytes, range}:
            self._tell(kind.__name__, thing)
        elif kind is float:
            self._tell("float", struct.pack("d", thing))
        elif kind is complex:
            assert isinstance(thing, complex)  # noqa: S101 - the line above says so
            self._tell("complex", struct.pack("dd", thing.real, thing.imag))
        elif isinstance(thing, np.generic) and not thing.dtype.hasobject:
            self._tell(kind.__name__, repr(thing.dtype), thing.tobytes())
        else:
            return False
        return True

    def _tell(self, *words: object) -> None:
        self._hash.update(f"{len(words)}{words!r}\n".encode(errors="surrogatepass"))

    def _all(self, things: Any) -> None:  # noqa: ANN401 - whatever can be gone through
        found = list(things)
        self._tell(len(found))
        for thing in found:
            self.add(thing)

    def _pure(self, thing: Any) -> bool:  # noqa: ANN401 - a function or class
        """Add, by its name, a function or class of a module that is known to keep nothing to itself."""
        bound = isinstance(thing, BuiltinFunctionType) and not isinstance(thing.__self__, ModuleType | None)
        module = "numpy" if isinstance(thing, np.ufunc) else str(getattr(thing, "__module__", None))
        name = str(getattr(thing, "__qualname__", getattr(thing, "__name__", "")))
        if module == "builtins":
            known = name not in UNKNOWN_NAMES
        else:
            known = module.partition(".")[0].lstrip("_") in PURE and not f"{module}.{name}".startswith(STATEFUL)
        if bound or not known or self._is_own(module) or _named(module, name) is not thing:
            return False
        self._tell("named", module, name)
        return True

    def _function(self, function: FunctionType) -> None:
        if not self._is_own(str(function.__module__)) and self._pure(function):
            return
        if function.__globals__.get("__name__") != function.__module__ or not self._is_own(function.__module__):
            raise Unknown(function.__qualname__)
        marks = {name: vars(mark) if name == MARK else mark for name, mark in vars(function).items()}
        self._all((function.__defaults__, function.__kwdefaults__, marks, function.__closure__))
        self._code(function.__code__, function.__globals__)

    def _code(self, code: CodeType, names: dict[str, Any]) -> None:
        self._tell(code.co_name, code.co_code, code.co_flags, code.co_exceptiontable, code.co_names, code.co_varnames)
        self._tell(
            code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_freevars, code.co_cellvars
        )
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self._code(constant, names)
            else:
                self.add(constant)
        for name, path in _read(code):
            self._tell(name, path)
            self._named(name, path, names)

    def _named(self, name: str, path: tuple[str, ...], names: dict[str, Any]) -> None:
        """Add what a name stands for; of a module, only what is taken from it."""
        if name in names:
            thing = names[name]
        elif hasattr(builtins, name):
            thing = getattr(builtins, name)
        else:
            self._tell("nothing")
            return
        for step in path:
            if not isinstance(thing, ModuleType):
                break
            if step not in vars(thing):
                raise Unknown(f"{name}.{step}")
            thing = vars(thing)[step]
        if isinstance(thing, ModuleType):
            raise Unknown(name)
        self.add(thing)

    def _class(self, kind: type) -> None:
        self._all(kind.__bases__)
        self._all(part for item in vars(kind).items() if item[0] not in OWN_TO_CLASSES for part in item)

    def _instance(self, thing: object) -> None:
        """Add an object of one of the course's own classes that has nothing but its attributes."""
        kind = type(thing)
        basic = all(base is object or self._is_own(base.__module__) for base in kind.__mro__)
        slots = any("__slots__" in vars(base) for base in kind.__mro__)
        if not self._is_own(kind.__module__) or not basic or slots:
            raise Unknown(kind.__qualname__)
        self._all((kind, vars(thing)))


def _named(module: str, name: str) -> object:
    """Give what a module has under a (qualified) name, or None."""
    thing: object = sys.modules.get(module)
    for step in name.split("."):
        thing = getattr(thing, step, None)
    return thing


def _content(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError as error:
        raise Unknown("an empty cell") from error


@cache
def _read(code: CodeType) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Give the global names that code reads or binds, each with the attributes that are then taken."""
    found = []
    instructions = list(dis.get_instructions(code))
    for index, each in enumerate(instructions):
        if each.opname in {"IMPORT_NAME", "IMPORT_FROM", "LOAD_BUILD_CLASS"}:
            raise Unknown(each.opname)
        if each.opname in ATTRIBUTES and str(each.argval).startswith("__"):
            raise Unknown(str(each.argval))
        if each.opname in LOADS:
            taken = takewhile(lambda following: following.opname in ATTRIBUTES, instructions[index + 1 :])
            found.append((str(each.argval), tuple(str(following.argval) for following in taken)))
    return tuple(found)
