"""The course's settings as the command line reads them: the knit plugin's options in mkdocs.yml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from knit.problem import Refused
from knit.project import Layout
from knit.read.data import FastLoader, read_yaml
from knit.read.text import Unreadable, read_text
from knit.run.pool import Limits

OPTIONS = ("snippets", "cache", "languages", "ledger", "limits", "incremental")
"""What can be set of knit, as in knit.site.config."""


class Lenient(FastLoader):  # type: ignore[misc,valid-type]
    """Reads mkdocs.yml without importing what its tags name."""


Lenient.add_multi_constructor("", lambda *_: None)


def find_root(start: Path) -> Path:
    """Give the nearest folder at or above ``start`` that holds mkdocs.yml.

    Raises
    ------
    FileNotFoundError
        When there is none.

    """
    for folder in (start, *start.parents):
        if (folder / "mkdocs.yml").is_file():
            return folder
    raise FileNotFoundError(f"no mkdocs.yml in {start} or above it: run this inside a course")


def read(root: Path) -> tuple[Layout, Limits]:
    """Read where a course keeps its things, and what its scripts may use.

    Raises
    ------
    Refused
        When mkdocs.yml cannot be read, or says something that is no setting.

    """
    try:
        settings = read_yaml(read_text(root / "mkdocs.yml"), Lenient)
    except Unreadable as error:
        raise Refused(f"mkdocs.yml:{error.line}: {error}") from None
    if not isinstance(settings, dict):
        raise Refused("mkdocs.yml holds no settings")
    if (options := _plugin(settings.get("plugins"), "knit")) is None:
        raise Refused("mkdocs.yml: knit is not among the plugins, nothing would be woven: write - knit below plugins:")
    if unknown := options.keys() - OPTIONS:
        raise Refused(f"mkdocs.yml: knit has no option {', '.join(sorted(unknown))}; it has {', '.join(OPTIONS)}")
    limits = _option(options, "limits", dict, {})
    languages = _option(options, "languages", list, ["zh", "en"])
    if not languages or not all(isinstance(language, str) for language in languages):
        raise Refused(f"mkdocs.yml: knit's languages are {languages!r}: write a list such as [zh, en]")
    layout = Layout(
        root,
        docs=Path(_option(settings, "docs_dir", str, "docs")),
        snippets=Path(_option(options, "snippets", str, "snippets")),
        cache=Path(_option(options, "cache", str, ".cache/knit")),
        languages=tuple(languages),
        ledger=_option(options, "ledger", str, "claims"),
    )
    if not (root / layout.docs).resolve().is_relative_to(root.resolve()):
        raise Refused(f"mkdocs.yml: docs_dir is {layout.docs.as_posix()}: the pages are inside the course's folder")
    standard = Limits()
    try:
        return layout, Limits(
            _option(limits, "seconds", (int, float), standard.seconds),
            _option(limits, "memory", int, standard.memory >> 20) << 20,
            _option(limits, "output", int, standard.output >> 10) << 10,
        )
    except ValueError as error:
        raise Refused(f"mkdocs.yml: {error}") from None


def _option(options: dict[str, Any], name: str, kind: type | tuple[type, ...], default: Any) -> Any:  # noqa: ANN401
    value = options.get(name, default)
    if not isinstance(value, kind):
        raise Refused(f"mkdocs.yml: {name} is {value!r}, not such as {default!r}")
    return value


def _plugin(plugins: object, name: str) -> dict[str, Any] | None:
    """Find the options of a plugin, which mkdocs.yml lists by name, or by name with options; None without it."""
    entries = [plugins] if isinstance(plugins, dict) else plugins if isinstance(plugins, list) else []
    for entry in entries:
        if entry == name or (isinstance(entry, dict) and name in entry):
            options = entry.get(name) if isinstance(entry, dict) else None
            return dict(options) if isinstance(options, dict) else {}
    return None
