"""The colours that mean the same everywhere: in formulas, figures, tables and interactive pieces.

A figure is drawn in these and its SVG names each as a CSS variable (``QUERY`` becomes
``var(--knit-query)``), so that one drawing serves the light and the dark scheme; ``figures.css`` says what
the variables stand for. A figure may use no other colour; with ``alpha`` each can be made fainter.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

INK: Final = "#010203"  # words, and what is drawn without a colour of its own
MUTED: Final = "#010204"  # axes, helping lines, remarks
GRID: Final = "#01020a"  # grid lines: seen only when looked for
PAPER: Final = "#01020d"  # the page behind the figure
QUERY: Final = "#010205"
KEY: Final = "#010206"
VALUE: Final = "#010207"
SCORE: Final = "#010208"
WEIGHT: Final = "#010209"
GOOD: Final = "#01020b"  # what works
BAD: Final = "#01020c"  # what fails

VARIABLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        INK: "--knit-ink",
        MUTED: "--knit-muted",
        GRID: "--knit-grid",
        PAPER: "--knit-paper",
        QUERY: "--knit-query",
        KEY: "--knit-key",
        VALUE: "--knit-value",
        SCORE: "--knit-score",
        WEIGHT: "--knit-weight",
        GOOD: "--knit-good",
        BAD: "--knit-bad",
    }
)
"""The CSS variable that stands for each colour on the site."""
