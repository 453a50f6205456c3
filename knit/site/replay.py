"""What converting a page leaves in other plugins, noted so that a page put back leaves the same.

mkdocs-autorefs learns anchors, mkdocstrings fills its inventory: both through public methods, whose calls are noted
while a page is converted and made again when it is not.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page

Call = list[Any]
"""Name, arguments and named arguments of a call; a page among them is written ``PAGE``."""

PAGE = "\ue003page"


class Replay:
    """The calls of one build, to note and to make again."""

    def __init__(self, config: MkDocsConfig) -> None:
        self.calls: list[Call] = []
        self._methods: dict[str, Callable[..., Any]] = {}
        if (autorefs := config.plugins.get("autorefs")) is not None:
            self._note(autorefs, "register_anchor")
        docstrings: Any = config.plugins.get("mkdocstrings")
        if docstrings is not None and docstrings.plugin_enabled:
            docstrings.handlers.inventory = inventory(docstrings.handlers.inventory)
            self._note(docstrings.handlers.inventory, "register")
            self._note(docstrings.handlers, "get_handler")

    def begin(self) -> None:
        """Forget what was noted: another page begins."""
        self.calls = []

    def again(self, calls: list[Call], page: Page) -> None:
        """Make the calls that converting a page made."""
        for name, arguments, named in calls:
            self._methods[name](*(page if argument == PAGE else argument for argument in arguments), **named)

    def _note(self, owner: Any, name: str) -> None:  # noqa: ANN401 - of another plugin
        # The class's own, should this build be a later one of the same process.
        method = getattr(type(owner), name).__get__(owner)
        self._methods[name] = method

        @wraps(method)
        def noting(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401
            self.calls.append([name, [PAGE if isinstance(each, Page) else each for each in arguments], named])
            return method(*arguments, **named)

        setattr(owner, name, noting)


def inventory(empty: Any) -> Any:  # noqa: ANN401 - of mkdocstrings, which a course without docstrings does not load
    """Give an inventory whose calls are the same whatever other pages registered.

    Of a name by which several objects can be called, the first page that does has the say. mkdocstrings looks whether
    there is one before it registers another; processes that convert pages at the same time see different ones there.
    So here each is registered, at its lower priority, and what came first stays.
    """

    class Inventory(type(empty)):  # type: ignore[misc]
        def __contains__(self, name: object) -> bool:
            return False

        def register(self, name: str, *arguments: Any, priority: int = 1, **named: Any) -> None:  # noqa: ANN401
            if priority == 1 or name not in self.keys():
                super().register(name, *arguments, priority=priority, **named)

    return Inventory(project=empty.project, version=empty.version)
