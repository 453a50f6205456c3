"""How much room a box takes."""

from solid.flat import cube

from knit import claim, main

side = 2.0
volume = cube(side)


@claim("B2")
def a_cube_is_its_side_cubed():
    r"""A cube of side $\sqrt4}$ takes eight."""
    assert volume == side * side * side
    return volume


if __name__ == "__main__":
    raise SystemExit(main())
