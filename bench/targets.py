"""What a build may take, as a multiple of the rendering floor of the same round: what issue 7 asks for."""

from __future__ import annotations

from collections.abc import Mapping

COLD = 1.10
"""Of both floors together."""

SCRIPT = 1.3
"""Of what plain Python takes for the script that was edited."""

MEMORY = 150
"""MiB above the rendering floor, a worker."""


def same(lessons: int) -> float:
    """Give the limit where nothing changed: a large course has more to put back, and so more to save."""
    return 1.05 if lessons < 20 else 0.6 if lessons < 100 else 0.2  # noqa: PLR2004 - the issue's sizes


def limit(scenario: str, lessons: int, seconds: Mapping[str, float], empty: float) -> float | None:
    """Give the limit of a scenario in a round, None where the issue names none.

    Parameters
    ----------
    scenario : str
        Its name.
    lessons : int
        Lessons in two languages.
    seconds : mapping
        What ``render`` and ``plain`` took in this scenario and round.
    empty : float
        What rendering took without lessons in this round: the rest is the pages'.

    """
    render, plain = seconds["render"], seconds["plain"]
    page = max(render - empty, 0.0) / (2 * lessons)
    match scenario:
        case "cold":
            return COLD * (render + plain) / render
        case "same":
            return same(lessons)
        case "prose":
            return same(lessons) + page / render
        case "snippet" | "label":
            return same(lessons) + (page + SCRIPT * plain) / render
        case _:
            return None
