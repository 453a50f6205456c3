"""How much room a box takes."""

from solid.flat import cube

from knit import claim, colours, figure, main

side = 2.0
volume = cube(side)


@claim("B2")
def a_cube_is_its_side_cubed():
    """A cube of side two takes eight."""
    assert volume == side * side * side
    return volume


@figure
def cubes(ax, t):
    ax.plot(1 / 0)


if __name__ == "__main__":
    raise SystemExit(main())
