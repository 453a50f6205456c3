"""How fast a cube grows, as a notebook."""

# --8<-- [start:setup]
import numpy as np
from solid.flat import cube

from knit import colours, figure

# zh: 先猜
# en: guess first
guess = 4.0 / 0
# --8<-- [end:setup]

# --8<-- [start:run]
sides = np.array([1.0, 2.0, 3.0])
volumes = [float(cube(side)) for side in sides]
print("volumes", volumes)
# --8<-- [end:run]


# --8<-- [start:drawing]
@figure
def growth(ax, t):
    ax.plot(sides, volumes, color=colours.QUERY)
    ax.set_xlabel(t(zh="边长", en="side"))


# --8<-- [end:drawing]

if __name__ == "__main__":
    print("alone")
