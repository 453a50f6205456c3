"""What is raised when a figure cannot be shown."""


class NotDrawn(ValueError):  # noqa: N818 - reads as what happened
    """A figure that cannot be shown as it was drawn, and what to do about it."""
