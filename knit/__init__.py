"""The engine of the course: runs the lessons' scripts and weaves what they computed into the pages.

This module holds what a script imports; the other modules are for building the site.
"""

from knit import colours
from knit.authoring import claim, figure, main, seed, text

__all__ = ["claim", "colours", "figure", "main", "seed", "text"]
