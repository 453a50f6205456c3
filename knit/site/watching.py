"""Has a served course looked at often enough, and everywhere that its pages depend on."""

from __future__ import annotations

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.livereload import LiveReloadServer
from watchdog.observers.polling import PollingObserver

from knit.project import Course

LOOK_EVERY = 0.05
"""Seconds between two looks at the files of a served course; MkDocs' half second would be most of an author's wait."""


class Watching:
    """What the server of a preview looks at; without a server, nothing."""

    def __init__(self) -> None:
        self._server: LiveReloadServer | None = None
        self._watched: set[str] = set()

    def begin(self, server: LiveReloadServer, config: MkDocsConfig) -> None:
        """Have a server look at the pages and the settings more often."""
        watched = [config.docs_dir, *([config.config_file_path] if config.config_file_path else [])]
        for path in watched:
            server.unwatch(path)
        server.observer = PollingObserver(timeout=LOOK_EVERY)
        server.build_delay = 1.5 * LOOK_EVERY  # a save that two looks see in parts is one save
        for path in watched:
            server.watch(path)
        self._server = server

    def add(self, course: Course) -> None:
        """Have it look at the folders and files of the root that scripts import from, too."""
        if self._server is None:
            return
        for outcome in course.results.outcomes.values():
            for path in (*outcome.uses.modules, *outcome.uses.data) if outcome.uses else ():
                watched = path if path.startswith("/") else (course.layout.root / path.partition("/")[0]).as_posix()
                if watched not in self._watched and path != "./":  # where all is kept that builds write
                    self._server.watch(watched)
                    self._watched.add(watched)
