"""What came of running a script: its values, printed output, verdicts and figures, or why there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from knit.claims import Verdict

PLACE = "place"
"""The file in a job's folder in which a worker that is ended writes the lines that it was at."""


@dataclass(frozen=True)
class Fault:
    """Something wrong in a script: the file (from the project's root), its line, and what."""

    path: str
    line: int
    message: str


@dataclass
class Result:
    """What a finished script left.

    ``values`` and ``others`` hold its names (see ``values.namespace``), ``outputs`` what each section
    printed (``""``: all of it), ``figures`` the SVG of each figure by language, ``faults`` why a claim
    or a figure failed, by ``claim:NAME`` or ``figure:NAME``.
    """

    values: dict[str, Any] = field(default_factory=dict)
    others: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, str] = field(default_factory=dict)
    claims: dict[str, Verdict] = field(default_factory=dict)
    figures: dict[str, dict[str, str]] = field(default_factory=dict)
    faults: dict[str, Fault] = field(default_factory=dict)
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """Give the result as plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Result:
        """Read the result back from plain data."""
        fields = dict(data)
        fields["claims"] = {name: Verdict(**verdict) for name, verdict in data["claims"].items()}
        fields["faults"] = {name: Fault(**fault) for name, fault in data["faults"].items()}
        return cls(**fields)


@dataclass(frozen=True)
class Dependencies:
    """What a run really used: local files (paths from the root), packages, and outside module names."""

    modules: tuple[str, ...]
    data: tuple[str, ...]
    packages: tuple[str, ...]
    outside: tuple[str, ...]


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
