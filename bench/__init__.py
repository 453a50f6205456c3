"""Measures what a build of a course costs, against the floor and against peers: ``python -m bench``."""
