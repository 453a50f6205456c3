"""What came of running a script: its values, printed output, verdicts and figures, or why there is none."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from knit.claims import Verdict

PLACE = "place"
"""The file in a job's folder in which a worker that is ended writes the lines that it was at."""

RESULT = "result"
"""The file in a job's folder in which a worker writes its result."""


@dataclass(frozen=True)
class Fault:
    """Something wrong in a script: the file (from the project's root), its line, and what."""

    path: str
    line: int
    message: str


T = TypeVar("T")


class Pieces(Mapping[str, T]):
    """Parts of a packed result by name, each read when it is first asked for: few pages show all that a script has."""

    def __init__(self, contents: bytes, places: Mapping[str, tuple[int, int]], make: Callable[[Any], T]) -> None:
        self._contents = contents
        self._places = places
        self._make = make
        self._made: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        """Read a part."""
        if name not in self._made:
            start, end = self._places[name]
            self._made[name] = self._make(_read(self._contents[start:end]))
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        """Go through the names."""
        return iter(self._places)

    def __len__(self) -> int:
        """Give the number of parts."""
        return len(self._places)


@dataclass(frozen=True)
class Result:
    """What a finished script left.

    ``values`` and ``others`` hold its names (see ``values.namespace``), ``outputs`` what each section
    printed (``""``: all of it), ``figures`` the SVG of each figure by language, ``faults`` why a claim
    or a figure failed, by ``claim:NAME`` or ``figure:NAME``. ``digest`` is of all these, once it is packed; it is not
    of how many ``seconds`` that took, nor of which figures were ``drawn`` for it, the others being known.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    others: Mapping[str, str] = field(default_factory=dict)
    outputs: Mapping[str, str] = field(default_factory=dict)
    claims: Mapping[str, Verdict] = field(default_factory=dict)
    figures: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    faults: Mapping[str, Fault] = field(default_factory=dict)
    seconds: float = 0.0
    digest: str = ""
    drawn: tuple[str, ...] = ()

    def packed(self) -> bytes:
        """Give the result as it is written, read and kept: a line about it, an index, and its parts.

        The index gives each part's size, by kind and name, so that a part can be read without the others. The line
        before it holds what the result is not, but how it came to be, and so is not in the digest.
        """
        index: dict[str, dict[str, int]] = {}
        parts: list[bytes] = []
        for kind in KINDS:
            named = {name: _written(part) for name, part in getattr(self, kind).items()}
            index[kind] = {name: len(part) for name, part in named.items()}
            parts += named.values()
        contents = b"".join([_written(index), b"\n", *parts])
        digest = hashlib.sha256(contents).hexdigest()
        head = {"digest": digest, "claims": list(self.claims), "seconds": self.seconds, "drawn": self.drawn}
        return b"".join([_written(head), b"\n", contents])

    @classmethod
    def unpacked(cls, packed: bytes) -> Result:
        """Read a packed result.

        Raises
        ------
        ValueError
            When it is not whole.

        """
        head = whole(packed)
        begin = packed.index(b"\n") + 1
        at = packed.index(b"\n", begin) + 1
        kinds: dict[str, Pieces[Any]] = {}
        for kind, sizes in json.loads(packed[begin:at]).items():
            places: dict[str, tuple[int, int]] = {}
            for name, size in sizes.items():
                places[name] = (at, at + size)
                at += size
            kinds[kind] = Pieces(packed, places, KINDS[kind])
        return cls(**kinds, seconds=head["seconds"], digest=head["digest"], drawn=tuple(head["drawn"]))


KINDS: Mapping[str, Callable[[Any], Any]] = {
    "values": lambda value: value,
    "others": str,
    "outputs": str,
    "claims": lambda fields: Verdict(**fields),
    "figures": dict,
    "faults": lambda fields: Fault(**fields),
}
"""The kinds of parts of a result, and what makes each of plain data."""


ARRAY = b"\0"
"""Begins what is an array: its format and shape as JSON, and its numbers as they are."""


def _written(part: object) -> bytes:
    """Write a part: plain data, a record of it, or an array, whose numbers would take long to write in JSON."""
    if isinstance(part, memoryview):
        return b"".join([ARRAY, json.dumps([part.format, part.shape]).encode(), b"\n", part])
    plain = vars(part) if isinstance(part, Verdict | Fault) else part
    return json.dumps(plain, ensure_ascii=False).encode()


def _read(part: bytes) -> Any:  # noqa: ANN401 - plain data
    """Read a part; of an array, lists."""
    if not part.startswith(ARRAY):
        return json.loads(part)
    head, _, numbers = part.removeprefix(ARRAY).partition(b"\n")
    return memoryview(numbers).cast(*json.loads(head)).tolist()


def whole(packed: bytes) -> Mapping[str, Any]:
    """Give the line about a packed result: ``digest``, the names of its ``claims``, ``seconds`` and ``drawn``.

    Raises
    ------
    ValueError
        When the result is not whole.

    """
    line, _, contents = packed.partition(b"\n")
    head = json.loads(line)
    if not isinstance(head, dict) or not {"claims", "seconds", "drawn"} <= head.keys():
        raise ValueError("no line about the result")
    if head.get("digest") != hashlib.sha256(contents).hexdigest():
        raise ValueError("the result is not what its digest says")
    return head


@dataclass(frozen=True)
class Dependencies:
    """What a run really used: local files (paths from the root), packages, and outside module names.

    ``asked`` is what it only asked for, with what was there: ``absent snippets/kit.py``. See ``knit.run.watch.Watch``.
    """

    modules: tuple[str, ...]
    data: tuple[str, ...]
    packages: tuple[str, ...]
    outside: tuple[str, ...]
    asked: tuple[str, ...]


class Outcome:
    """A script's result with the files it used, or the fault that left none.

    Parameters
    ----------
    script : str
        Path from the root.
    result : Result, callable or None
        The result, or what reads it each time it is asked for: what is known need not be held.
    fault : Fault, optional
        Why there is none.
    uses : Dependencies, optional
        What the run used.
    digest : str
        Of a result that is kept: of all that is in it. Only results without faults are kept.
    claims : tuple of str
        Of a result that is kept: the names of its claims.

    """

    def __init__(
        self,
        script: str,
        result: Result | Callable[[], Result] | None,
        fault: Fault | None = None,
        uses: Dependencies | None = None,
        digest: str = "",
        claims: tuple[str, ...] = (),
    ) -> None:
        self.script = script
        self.fault = fault
        self.uses = uses
        self.digest = digest
        self._claims = claims
        self._result = result

    @property
    def result(self) -> Result | None:
        """The result; None if there is none."""
        return self._result() if callable(self._result) else self._result

    @property
    def claims(self) -> tuple[str, ...]:
        """The names of its claims."""
        return self._claims if self.digest or self.result is None else tuple(self.result.claims)

    @property
    def faults(self) -> list[Fault]:
        """Everything that is wrong with it."""
        if self.fault:
            return [self.fault]
        return [] if self.digest or self.result is None else list(self.result.faults.values())
