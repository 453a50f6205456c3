"""The course of a benchmark in the states between which it is edited: each scenario is one edit of the last state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from bench.generate import KIT, Lesson, Size, lesson, lessons

CHANGED = "multiplier"
"""The word that takes the place of another in a figure."""


@dataclass(frozen=True)
class State:
    """A course as its author has it: lessons, and the files of the package that their scripts import."""

    size: Size
    lessons: tuple[Lesson, ...]
    kit: dict[str, str]


def first(size: Size) -> State:
    """Give the course as generated."""
    return State(size, tuple(lessons(size)), dict(KIT))


def _same(state: State) -> State:
    return state


def _prose(state: State) -> State:
    """One word, on one page."""
    one, *others = state.lessons
    (sentence, *more), *rest = one.sentences["en"]
    sentences = {**one.sentences, "en": ((f"{sentence} indeed", *more), *rest)}
    return replace(state, lessons=(replace(one, sentences=sentences), *others))


def _snippet(state: State) -> State:
    """One number that one script computes."""
    one, *others = state.lessons
    part, *more = one.snippets
    part = replace(part, source=part.source.replace(".mean())", ".mean() + 1.0)", 1))
    return replace(state, lessons=(replace(one, snippets=(part, *more)), *others))


def _label(state: State) -> State:
    """One word in a figure."""
    one, *others = state.lessons
    figure, *more = one.figures
    figure = replace(figure, source=figure.source.replace('en="factor"', f'en="{CHANGED}"', 1))
    return replace(state, lessons=(replace(one, figures=(figure, *more)), *others))


def _module(state: State) -> State:
    """One function of a local module, which every second script imports."""
    return replace(state, kit={**state.kit, "kit/linear.py": state.kit["kit/linear.py"].replace("1.0\n", "1.5\n", 1)})


def _added(state: State) -> State:
    new = lesson(len(state.lessons) + 1, state.size)
    return replace(state, lessons=(*state.lessons, new))


def _away(state: State) -> State:
    """Another branch, on which another module differs."""
    return replace(state, kit={**state.kit, "kit/smooth.py": state.kit["kit/smooth.py"].replace("1.0\n", "2.0\n", 1)})


def _back(state: State) -> State:
    return replace(state, kit={**state.kit, "kit/smooth.py": KIT["kit/smooth.py"]})


SCENARIOS: dict[str, Callable[[State], State]] = {
    "cold": _same,
    "same": _same,
    "prose": _prose,
    "snippet": _snippet,
    "label": _label,
    "module": _module,
    "added": _added,
    "away": _away,
    "back": _back,
}


def states(size: Size) -> dict[str, State]:
    """Give the state that each scenario leaves."""
    state, found = first(size), {}
    for name, edit in SCENARIOS.items():
        state = found[name] = edit(state)
    return found
