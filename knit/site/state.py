"""What is known of a page during a build that keeps pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from knit.shelf import Record, Slot


@dataclass
class State:
    """What is known of one page during a build.

    ``key`` is of its conversion, ``source`` the digest of the source that the key holds; ``kept`` the conversion.
    ``named`` says whether the page itself names its template. ``rendering`` and ``entries`` are keys; ``html`` and
    ``found`` what was kept under them.
    """

    slot: Slot
    key: str
    source: str
    kept: Record | None = None
    opened: set[str] = field(default_factory=set)
    links: dict[str, list[str] | None] = field(default_factory=dict)
    content: str = ""
    rendering: str = ""
    html: str | None = None
    template: str | None = None
    named: bool = False
    search: Any = None
    entries: str = ""
    found: list[Any] | None = None
