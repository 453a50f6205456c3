"""The engine of the course: runs the lessons' scripts and weaves what they computed into the pages.

This module holds what a script imports; the other modules are for building the site.
"""

from knit import colours
from knit.authoring import claim, fails, figure, main, seed, text
from knit.heatmap import heatmap
from knit.notebook.module import module
from knit.notebook.show import show

__all__ = ["claim", "colours", "fails", "figure", "heatmap", "main", "module", "seed", "show", "text"]
