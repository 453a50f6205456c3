"""The published numbers that changed since an earlier state of the course, for who reviews a change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from knit.check.published import Accepted, file_of, module_of, parsed, read, short
from knit.git import git
from knit.problem import Refused
from knit.project import Layout


@dataclass(frozen=True)
class Change:
    """A published thing, and what readers saw of it before and see after; None where it was or is not shown."""

    script: str
    kind: str
    name: str
    before: str | None
    after: str | None


def changes(layout: Layout, scripts: Iterable[str], revision: str) -> Iterator[Change]:
    """Yield what differs between the files of published numbers and those of a git revision.

    Raises
    ------
    Refused
        When there is no such revision, or a file cannot be read.

    """
    old = _published_at(layout, revision)
    for script in dict.fromkeys([*old, *scripts]):
        before = old.get(script, {})
        try:
            after = read(file_of(layout.root, script)) if (layout.root / script).exists() else {}
        except ValueError as error:
            raise Refused(f"{file_of(layout.root, script).name}: {error}") from None
        for kind, name in dict.fromkeys([*before, *after]):
            one, two = before.get((kind, name)), after.get((kind, name))
            if one != two:
                texts = (short(kind, each) if each is not None else None for each in (one, two))
                yield Change(module_of(script), kind.removesuffix("s"), name, *texts)


def as_text(found: list[Change]) -> str:
    """Write a line a change."""
    return "".join(
        f"{each.script}: {each.kind} {each.name}: {each.before or 'not shown'} → {each.after or 'no longer shown'}\n"
        for each in found
    )


def as_markdown(found: list[Change]) -> str:
    """Write a table, for a job's summary or a review."""
    if not found:
        return "No published number changes.\n"
    rows = [
        f"| {_cell(each.script)} | {_cell(f'{each.kind} {each.name}')} "
        f"| {_cell(each.before or '—')} | {_cell(each.after or '—')} |\n"
        for each in found
    ]
    count = f"{len(found)} published number{'s change' if len(found) > 1 else ' changes'}"
    return f"### {count}\n\n| script | what | before | after |\n|---|---|---|---|\n{''.join(rows)}"


def _cell(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|").replace("`", "\\`")
    return " ".join(escaped.split())


def _published_at(layout: Layout, revision: str) -> dict[str, Accepted]:
    """Read the files of published numbers at a revision, by script."""
    folder = layout.snippets.as_posix()
    listed = git(layout.root, "ls-tree", "--name-only", "-z", revision, "--", f"{folder}/")
    found: dict[str, Accepted] = {}
    for path in listed.split("\0"):
        if path.endswith(".published.toml"):
            source = git(layout.root, "show", f"{revision}:./{path}")
            try:
                found[f"{path.removesuffix('.published.toml')}.py"] = parsed(source)
            except ValueError as error:
                raise Refused(f"{path} at {revision}: {error}") from None
    return found
