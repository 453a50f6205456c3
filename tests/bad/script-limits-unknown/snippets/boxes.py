"""How much room a box takes."""

from solid.flat import cube

from knit import claim, main

# knit: limits hours=1
side = 2.0
volume = cube(side)


@claim("B2")
def a_cube_is_its_side_cubed():
    """A cube of side two takes eight, one of side $s$ takes $s^3$."""
    assert volume == side * side * side
    return volume


if __name__ == "__main__":
    raise SystemExit(main())
