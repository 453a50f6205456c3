"""Körper with flat faces."""


def cube(side: float) -> float:
    """Volume of a cube."""
    return side**3
