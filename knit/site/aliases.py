"""An extension of Griffe: a package's objects know all their names as soon as it is loaded.

Griffe finds who imports an object when somebody looks there; which pages were converted before would then decide by
which names an object can be referred to.
"""

from __future__ import annotations

from typing import Any

import griffe


class Aliases(griffe.Extension):
    """Looks at every import of a package's own objects."""

    def on_package(self, *, pkg: griffe.Module, loader: griffe.GriffeLoader, **kwargs: Any) -> None:  # noqa: ANN401
        """Find what the imports of a package that is loaded stand for, as far as it is loaded."""
        del pkg, kwargs
        loader.resolve_aliases(implicit=True, external=False)
