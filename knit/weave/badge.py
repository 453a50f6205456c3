"""What a claim's badge shows: the measured value, as short as it can be read."""

from __future__ import annotations

from knit.claims import Verdict
from knit.weave.format import NO_BREAK, Shown, data, show

NOISE = 1e-9
"""Below this a measured value is rounding noise, whose digits differ between machines: a bound is shown."""


def measured(verdict: Verdict, language: str) -> Shown:
    """Write what a claim measured, with a tick; nothing but the tick when it measured yes or no."""
    value = verdict.measured
    if isinstance(value, bool):
        return Shown(f"{NO_BREAK}✓", r"\checkmark", " ✓")
    spec = verdict.show or _spec(value)
    shown = show(value, spec, language)
    sign = "≤ " if spec == "bound" else ""
    html = f" {data(value, spec, sign.replace(' ', NO_BREAK) + shown.html)}{NO_BREAK}✓"
    return Shown(html, shown.tex, f" {sign}{shown.plain} ✓")


def _spec(value: object) -> str:
    if isinstance(value, float):
        return "bound" if abs(value) < NOISE else ".3g"
    if isinstance(value, list):
        return ".3g" if any(isinstance(item, float) for item in value) else ""
    return "," if isinstance(value, int) else ""
