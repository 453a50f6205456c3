"""The colours that mean the same everywhere: in formulas, figures, tables and interactive pieces.

Figures are drawn with these and the site replaces each by a CSS variable, so that one drawing serves
the light and the dark scheme.
"""

from typing import Final

INK: Final = "#010203"
MUTED: Final = "#010204"
QUERY: Final = "#010205"
KEY: Final = "#010206"
VALUE: Final = "#010207"
SCORE: Final = "#010208"
WEIGHT: Final = "#010209"
