"""Keeps woven pages: one is woven again only when something that its weaving looked at changed.

What a weaving looks at is noted while it goes on: scripts, claims, or the course as a whole. Pages with problems are
woven at every run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
from typing import Any, cast

from knit.programs import digest_of, digest_of_data
from knit.project import Course, Results
from knit.read.links import ids
from knit.read.page import Page
from knit.shelf import Record, Slot
from knit.weave.alive import MODULES
from knit.weave.weaver import Publication, Woven, weave

NARROW = {"citations", "counted", "titles"}
"""Attributes of a course that change with little of it: a page that shows one need not be woven at every edit."""

CONTENTS = ("text", "html", "plain", "source")


class KeptWoven(Woven):
    """A woven page of which only what a check looks at is at hand; the rest is read when it is asked for."""

    def __init__(self, version: Record, slot: Slot, anew: Callable[[], Woven]) -> None:
        super().__init__(
            shown=[Publication(*each) for each in version["shown"]],
            code=[(script, section) for script, section in version["code"]],
            terms=version["terms"],
            ids=set(version["ids"]),
            digest=version["contents"],
        )
        for name in CONTENTS:
            delattr(self, name)
        self._slot, self._anew = slot, anew

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - what Woven says
        """Read the contents; weave once more when another build, of newer pages, has thrown them away."""
        if name not in CONTENTS:
            raise AttributeError(name)
        content = self._slot.content(self.digest) or _contents(self._anew())
        vars(self).update(zip(CONTENTS, json.loads(content), strict=True))
        return vars(self)[name]


class Weavings:
    """The weaving of a course's pages."""

    def __init__(self, course: Course) -> None:
        self._course = course

    def woven(self, page: Page) -> Woven:
        """Give a page woven: as it is kept, or anew."""
        slot = self._course.kept.slot(page.path)
        if slot is None:
            return weave(page, self._course)
        own = digest_of_data(page.digest, self._shared)

        def fits(version: Record) -> bool:
            return version["own"] == own and self._same(version["seen"]) and slot.holds(version, "contents")

        if (kept := slot.first("woven", fits)) is not None:
            return KeptWoven(kept, slot, partial(weave, page, self._course))
        seen = Seen(self._course)
        woven = weave(page, cast("Course", seen))
        woven.ids = ids(page, woven.text)
        if woven.problems:
            return woven
        try:
            now = [[kind, name, self._now(kind, name)] for kind, name in sorted(seen.looked)]
            version = {
                "key": digest_of_data(own, now),
                "own": own,
                "seen": now,
                "shown": [list(vars(each).values()) for each in woven.shown],
                "code": woven.code,
                "terms": woven.terms,
                "ids": sorted(woven.ids),
            }
            slot.add("woven", version, {"contents": _contents(woven)})
            slot.save()  # while scripts still run, rather than all at once when they have ended
            return KeptWoven(version, slot, partial(weave, page, self._course))
        except (OSError, ValueError, Unkept):
            return woven

    def _same(self, seen: list[tuple[str, str, str | None]]) -> bool:
        try:
            return all(self._now(kind, name) == was for kind, name, was in seen)
        except Unkept:
            return False

    def _now(self, kind: str, name: str) -> str | None:
        """Give the digest of something that a weaving looked at; None if it is not there."""
        results = self._course.results
        match kind:
            case "outcomes":
                return self._outcome(name) if name in results.outcomes else None
            case "sources":
                return results.sources[name].digest if name in results.sources else None
            case "claims":
                script = results.makers.get(name)
                return f"{script} {self._outcome(script)}" if script else None
            case "scripts":
                return self._scripts
            case "course" if name in NARROW:
                return digest_of_data(_plain(getattr(self._course, name)))
        return digest_of_data([page.digest for page in self._course.pages], self._scripts)

    def _outcome(self, script: str) -> str:
        digest = self._course.results.outcomes[script].digest
        if not digest:
            raise Unkept
        return digest

    @cached_property
    def _shared(self) -> str:
        """Give the digest of what any weaving may look at."""
        layout = self._course.layout
        pieces = sorted(path.stem for path in (layout.root / layout.docs / MODULES).glob("*.js"))
        names = [layout.docs.as_posix(), layout.snippets.as_posix(), layout.languages, layout.ledger]
        return digest_of_data(names, pieces, self._course.glossary.digest)

    @cached_property
    def _scripts(self) -> str:
        """Give the digest of all scripts and of what came of them."""
        sources = self._course.results.sources
        return digest_of_data([[path, source.digest, self._outcome(path)] for path, source in sources.items()])


def _plain(found: Any) -> Any:  # noqa: ANN401 - one of a course's narrow attributes
    return [[list(key) if isinstance(key, tuple) else key, value] for key, value in found.items()]


def digest_of_woven(woven: Woven) -> str:
    """Give the digest of what is woven into a page, kept or not."""
    return woven.digest or digest_of(_contents(woven))


def _contents(woven: Woven) -> str:
    return json.dumps([getattr(woven, name) for name in CONTENTS], ensure_ascii=False)


class Unkept(Exception):  # noqa: N818 - it says what something is
    """Raised for a result that has no digest: it is not kept."""


class Seen:
    """A course as a weaving sees it, that notes what is looked at."""

    def __init__(self, course: Course) -> None:
        self.looked: set[tuple[str, str]] = set()
        self.layout = course.layout
        self.glossary = course.glossary
        self.results = cast("Results", SeenResults(course.results, self.looked))
        self._course = course

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a course has
        """Give anything else: it depends on all of the course, unless it is known to be less."""
        self.looked.add(("course", name))
        return getattr(self._course, name)


class SeenResults:
    """The results of a course, noted likewise."""

    def __init__(self, results: Results, looked: set[tuple[str, str]]) -> None:
        self.outcomes = SeenMapping("outcomes", results.outcomes, looked)
        self.sources = SeenMapping("sources", results.sources, looked)
        self._results, self._looked = results, looked

    @property
    def claims(self) -> Mapping[str, Any]:
        """The claims."""
        return SeenMapping("claims", self._results.claims, self._looked)


class SeenMapping(Mapping[str, Any]):
    """A mapping that notes what it is asked for."""

    def __init__(self, kind: str, found: Mapping[str, Any], looked: set[tuple[str, str]]) -> None:
        self._kind, self._found, self._looked = kind, found, looked

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - whatever it holds
        """Give one, or find that it is not there."""
        self._looked.add((self._kind, name))
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        """Give all names: then all scripts count."""
        self._looked.add(("scripts", ""))
        return iter(self._found)

    def __len__(self) -> int:
        """Count them."""
        self._looked.add(("scripts", ""))
        return len(self._found)
