"""The fonts that the site serves: so far one, for formulas."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.metadata import distribution, version
from importlib.resources import files as package_files
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File
from platformdirs import user_cache_path

from knit.shelf import write
from knit.weave.maths_glyphs import CHARACTERS

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

FONT = "assets/knit/maths.woff2"
"""Where ``maths.css`` looks for it: beside itself."""

PACKAGE = "fondi"
SOURCE = "fondi/resources/fonts/NewCMMath-Book.otf"
"""Where New Computer Modern Math comes from: a package that needs nothing compiled, and brings the font whole."""


class Fonts:
    """The fonts that the styles in `knit.site`'s ``assets`` name, made while scripts are waited for.

    They come of packages alone and are the same for every course, so they are kept where the user's caches are.
    """

    def __init__(self) -> None:
        aside = ThreadPoolExecutor(1)
        self._maths = aside.submit(maths_font, user_cache_path("knit") / "fonts")
        aside.shutdown(wait=False)

    def add(self, config: MkDocsConfig, files: Files) -> None:
        """Add the fonts to a site's files."""
        files.append(File.generated(config, FONT, content=self._maths.result()))


def maths_font(cache: Path) -> bytes:
    """Give the font of formulas as WOFF2: the same bytes on every machine.

    Parameters
    ----------
    cache : Path
        A folder that keeps the font, if it can be written. It is made again when its characters, the way it is cut,
        the font that it is cut from or the packages that cut it change.

    """
    source = Path(str(distribution(PACKAGE).locate_file(SOURCE))).read_bytes()
    cutting = package_files("knit.site").joinpath("font_cutting.py").read_bytes()
    tools = f"{version('fonttools')} {version('brotli')} {''.join(sorted(CHARACTERS))}"
    key = hashlib.sha256(b"\0".join([source, cutting, tools.encode()])).hexdigest()[:16]
    kept = cache / f"maths-{key}.woff2"
    with suppress(OSError):
        return kept.read_bytes()
    # Loading fontTools takes longer than all the rest that a build without news has to do here.
    from knit.site.font_cutting import cut  # noqa: PLC0415

    made = cut(source)
    with suppress(OSError):
        write(kept, made)
    return made
