"""Makes a figure of the site one that stands alone: its colours written in, on white."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

STYLES = Path(__file__).parent.parent / "site" / "assets" / "figures.css"
VARIABLE = re.compile(r"var\((--[\w-]+)\)")


def standalone(svg: str) -> str:
    """Write the colours of the light scheme into a figure, and paper behind it."""
    colours = light()
    opened = svg.index(">") + 1
    paper = f'<rect width="100%" height="100%" fill="{colours["--knit-paper"]}"/>'
    return VARIABLE.sub(lambda match: colours[match[1]], svg[:opened] + paper + svg[opened:])


@cache
def light() -> dict[str, str]:
    """Read what the variables of figures stand for in the light scheme: the first block of figures.css."""
    block = STYLES.read_text("utf-8").partition("{")[2].partition("}")[0]
    return dict(re.findall(r"(--[\w-]+):\s*([^;]+);", block))
