"""Reading of sources: the pages' references with their places, and the sections of scripts."""
