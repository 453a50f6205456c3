"""Generates a course of any size, in two languages, whose scripts import a local package.

The same course for everybody: lessons are kept as data (sentences, snippets, figures), and each way of building
writes them in its own syntax. Nothing is random but the seeds, so the same arguments give the same course.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

LANGUAGES = ("zh", "en")

WORDS = {
    "en": [
        "Take the rows of this table one after another and ask what each of them has to say about the others",
        "Nothing here is chosen to please: the points are drawn anew in every lesson and whatever comes out is shown",
        "A mean alone tells little, so the spread stands beside it, and the largest of all scores as well",
        "Whoever doubts a result may change one line of the script and look at the page again after a moment",
        "The picture shows the same numbers as the text, because both come from the same run of the same lines",
        "What a weight of nothing means is easily said: the word is there and nobody listens to it any longer",
        "Before you read on, guess which way the curve will bend when the factor grows, and write your guess down",
        "The scores are compared within a row only; between rows there is nothing to compare, and nobody should try",
    ],
    "zh": [
        "把这张表的各行一行一行拿出来，看每一行对别的行说了些什么",
        "这里没有一个数是挑出来讨人喜欢的：每一课都重新抽样，出来什么就写什么",
        "单看平均数说明不了多少，所以旁边还写着散布，还有全部分数里最大的一个",
        "谁要是不信，改一改脚本里的一行，过一会儿再看这一页就是了",
        "图上画的和文中写的是同样的数，因为两者出自同一次运行、同一段代码",
        "权重为零是什么意思，一句话就能说清：词还在那里，只是没有人再听它了",
        "往下读之前，先猜一猜因子变大时曲线往哪边弯，把你猜的写下来",
        "分数只在同一行里比较；行与行之间没有可比的东西，谁也不该去比",
    ],
}
STOP = {"zh": "。", "en": ". "}
TITLE = {"zh": "第 {} 课：分数与权重", "en": "Lesson {}: scores and weights"}
HEADING = {"zh": "看看第几组数", "en": "Another set of numbers"}
VALUES = {
    "zh": "平均数是 {mean}，散布是 {spread}，最大的是 {top}",
    "en": "The mean is {mean}, the spread {spread}, and the largest is {top}",
}
ALT = {"zh": "曲线先升后平，到头是 {value}", "en": "A curve that rises and levels off, at {value} in the end"}
CAPTION = {"zh": "因子越大，权重越偏", "en": "The larger the factor, the less even the weights"}
LABEL = {"zh": "因子", "en": "factor"}
HOME = {"zh": "课程", "en": "Course"}

# Further languages, to see what one more of them costs, say it in English.
for _words in (WORDS, STOP, TITLE, HEADING, VALUES, ALT, CAPTION, LABEL, HOME):
    _words |= dict.fromkeys(("de", "fr"), _words["en"])  # type: ignore[attr-defined, index]


@dataclass(frozen=True)
class Size:
    """How much of everything: the same number of snippets, figures and words in every lesson."""

    lessons: int
    snippets: int = 8
    figures: int = 3
    values: int = 3
    rows: int = 200
    languages: tuple[str, ...] = LANGUAGES


@dataclass(frozen=True)
class Snippet:
    """A section of a lesson's script: its name, its lines, and of the values that pages show: three or more."""

    name: str
    source: str
    shows: tuple[str, ...]


@dataclass(frozen=True)
class Figure:
    """A figure: the function that draws it (its lines without a decorator), and the value its description names."""

    name: str
    source: str
    value: str


@dataclass(frozen=True)
class Lesson:
    """One lesson: its script in parts, and for each snippet the sentences before it, by language."""

    name: str
    number: int
    head: str
    snippets: tuple[Snippet, ...]
    figures: tuple[Figure, ...]
    sentences: dict[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)


MODULES = ("linear", "smooth")
"""The local modules; a lesson imports the one that its number gives."""

KIT = {
    "kit/__init__.py": '"""What lessons share."""\n',
    "kit/drawing.py": '''"""Draws figures where knit does not: the same figure, as an SVG file that pages can hold."""

import io

from matplotlib import rc_context
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

QUERY, KEY, VALUE, SCORE = "#1565c0", "#c62828", "#2e7d32", "#6a1b9a"


def drawn(function, language):
    """Give a figure as SVG, in a language."""
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": function.__name__}):
        figure = Figure((6.0, 3.6))
        FigureCanvasSVG(figure)
        function(figure.subplots(), lambda **words: words[language])
        svg = io.StringIO()
        figure.savefig(svg, format="svg", metadata={"Date": None})
    return svg.getvalue()[svg.getvalue().index("<svg") :]
''',
    "kit/counting.py": '''"""Counts the executions of snippets, in a file that the environment names."""

import os


def note():
    """Note that a snippet is run."""
    with open(os.environ["BENCH_EXECUTIONS"], "a") as file:
        file.write(".")
''',
    "kit/linear.py": '''"""Weights in proportion to scores."""

import numpy as np

GAIN = 1.0


def weights(scores, factor):
    """Give shares that grow with the scores, row by row."""
    raised = GAIN * factor * (scores - scores.min(axis=-1, keepdims=True)) + 1.0
    return raised / raised.sum(axis=-1, keepdims=True)


def unused():
    """Nobody calls this."""
    return np.zeros(1)
''',
    "kit/smooth.py": '''"""Weights by the exponential."""

import numpy as np

GAIN = 1.0


def weights(scores, factor):
    """Give the softmax of each row."""
    raised = np.exp(GAIN * factor * (scores - scores.max(axis=-1, keepdims=True)))
    return raised / raised.sum(axis=-1, keepdims=True)
''',
}


def lessons(size: Size) -> Iterator[Lesson]:
    """Make the lessons of a course."""
    for number in range(1, size.lessons + 1):
        yield lesson(number, size)


def lesson(number: int, size: Size) -> Lesson:
    """Make one lesson: the same one whatever the number of lessons."""
    chance = random.Random(number)  # noqa: S311 - the same course each time
    head = (
        f'"""Script of lesson {number}."""\n\nimport numpy as np\nfrom kit import {MODULES[number % 2]} as kit\n\n'
        f"from knit import colours, figure\n\nrng = np.random.default_rng({number})\n"
    )
    sentences = {
        language: tuple(tuple(chance.choices(WORDS[language], k=7)) for _ in range(size.snippets))
        for language in size.languages
    }
    return Lesson(
        f"lesson_{number:04d}",
        number,
        head,
        tuple(_snippet(index, size) for index in range(1, size.snippets + 1)),
        tuple(_figure(index, size) for index in range(1, size.figures + 1)),
        sentences,
    )


def _snippet(index: int, size: Size) -> Snippet:
    mean, spread, top = names = (f"mean_{index}", f"spread_{index}", f"top_{index}")
    more = tuple(f"score_{index}_{number}" for number in range(size.values - len(names)))
    source = f"""# zh: 抽一组点，两两打分
# en: draw points, and score each pair of them
points_{index} = rng.normal(size=({size.rows}, 8))
scores_{index} = points_{index} @ points_{index}.T / np.sqrt(8)
shares_{index} = kit.weights(scores_{index}, {index / 4})
{mean} = float(scores_{index}.mean())
{spread} = float(scores_{index}.std())
{top} = float(shares_{index}.max())
print("mean", f"{{{mean}:.4f}}", "spread", f"{{{spread}:.4f}}", "top", f"{{{top}:.4f}}")
"""
    source += "".join(f"{name} = float(scores_{index}.flat[{number}])\n" for number, name in enumerate(more))
    return Snippet(f"part_{index}", source, names + more)


def _figure(index: int, size: Size) -> Figure:
    said = {"zh": "最大的一份"}
    x, y = (
        ", ".join(f'{language}="{words.get(language, other)}"' for language in size.languages)
        for words, other in ((LABEL, ""), (said, "largest share"))
    )
    source = f'''def figure_{index}(ax, t):
    """Draw how the largest share grows with the factor."""
    factors = np.linspace(0.0, 4.0, 60)
    for row in range(6):
        largest = [kit.weights(scores_{index}[row : row + 1, :40], f).max() for f in factors]
        ax.plot(factors, largest, color=(colours.QUERY, colours.KEY, colours.VALUE)[row % 3], label=f"{{row}}")
    ax.plot(points_{index}[:60, 0] + 2, abs(points_{index}[:60, 1]) / 9, ".", markersize=3, color=colours.SCORE)
    ax.set_xlabel(t({x}))
    ax.set_ylabel(t({y}))
    ax.legend()
'''
    return Figure(f"figure_{index}", source, f"top_{index}")


def title(number: int, language: str) -> str:
    """Give a lesson's title."""
    return TITLE[language].format(number)


def told(snippet: Snippet, language: str, shown: dict[str, str]) -> str:
    """Give the sentence that tells a snippet's values; ``shown`` says what stands for each of their names."""
    mean, spread, top, *more = (shown[name] for name in snippet.shows)
    return VALUES[language].format(mean=mean, spread=spread, top=", ".join([top, *more])) + STOP[language].rstrip()
