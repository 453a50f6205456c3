"""Makes the site readable without network: a service worker, and for each language the list of what it keeps."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

OFFLINE = Path(__file__).parent / "offline"
LANGUAGES = "const LANGUAGES = []"
NEEDLESS = re.compile(r".*\.map|assets/javascripts/lunr/(?:tinyseg|wordcut)\.js|assets/share/.*|.*\.xml")
"""Files that no page asks for: maps of scripts, parts of the search for other languages, what is for other sites."""
STEMMER = re.compile(r"assets/javascripts/lunr/min/lunr\.(?P<language>[a-z]{2})\.min\.js")


def keep_offline(site: Path, languages: Sequence[str], *, serving: bool) -> None:
    """Write ``sw.js`` and the lists ``offline/zh.json``, when all other files are written.

    Parameters
    ----------
    site : Path
        The built site.
    languages : sequence of str
        The folders of its languages.
    serving : bool
        Under ``mkdocs serve`` nothing may be kept: then ``sw.js`` removes what an earlier visit left.

    """
    if serving:
        (site / "sw.js").write_text((OFFLINE / "away.js").read_text("utf-8"), "utf-8")
        return
    worker = (OFFLINE / "sw.js").read_text("utf-8")
    (site / "sw.js").write_text(worker.replace(LANGUAGES, f"const LANGUAGES = {json.dumps(list(languages))}"), "utf-8")
    (site / "offline").mkdir(exist_ok=True)
    shared = {address: integrity(path) for address, path in _shared(site, languages)}
    for language in languages:
        own = {address: integrity(path) for address, path in _files(site, site / language)}
        files = dict(sorted({**shared, **own}.items()))
        text = json.dumps(files, separators=(",", ":"))
        version = hashlib.sha256(text.encode()).hexdigest()[:16]
        (site / "offline" / f"{language}.json").write_text(f'{{"version":"{version}","files":{text}}}\n', "utf-8")


def integrity(path: Path) -> str:
    """Give a file's digest as browsers check it (W3C Subresource Integrity)."""
    return f"sha256-{base64.b64encode(hashlib.sha256(path.read_bytes()).digest()).decode()}"


def _shared(site: Path, languages: Sequence[str]) -> Iterator[tuple[str, Path]]:
    """Yield what pages of every language need: the page at ``/``, assets, and the scripts behind the numbers."""
    if (home := site / "index.html").exists():
        yield "", home
    others = {language.name for language in site.iterdir()} - {*languages, "offline"}
    for name in sorted(others):
        if (site / name).is_dir():
            for address, path in _files(site, site / name):
                stemmer = STEMMER.fullmatch(address)
                if not NEEDLESS.fullmatch(address) and not (stemmer and stemmer["language"] not in languages):
                    yield address, path


def _files(site: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files in a folder with their addresses: an index has its folder's."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            name = path.relative_to(site).as_posix()
            yield re.sub(r"(^|/)index\.html$", r"\1", name), path
