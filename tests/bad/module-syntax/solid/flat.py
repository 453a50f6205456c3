def cube(side) -> float
    return side**3
