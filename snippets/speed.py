"""What a build of a course costs: reads what `make bench` measured, and draws it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from knit import colours, figure, text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Labels = Callable[..., str]

_measured = json.loads((Path(__file__).parents[1] / "bench" / "results.json").read_text("utf-8"))
_small = _measured["builds"]["4"]
_ways = _small["ways"]

lessons = _small["size"]["lessons"]
snippets = _small["size"]["snippets"]
figures = _small["size"]["figures"]

SCENARIOS = {
    "cold": text(zh="第一次构建", en="first build"),
    "same": text(zh="什么都没改", en="nothing changed"),
    "prose": text(zh="改一个词", en="one word"),
    "snippet": text(zh="改一个数", en="one number"),
    "label": text(zh="改图上一个词", en="one label"),
    "module": text(zh="改共用的模块", en="a shared module"),
    "added": text(zh="加一课", en="one more lesson"),
    "back": text(zh="换回原来的分支", en="back on the branch"),
}
TOOLS = {
    "knit": colours.GOOD,
    "markdown-exec": colours.QUERY,
    "mkdocs-macros": colours.KEY,
    "mkdocs-jupyter": colours.VALUE,
    "sphinx + myst-nb": colours.SCORE,
}

ratios = [[words, *(_ways[tool][name]["cpu"]["median"] for tool in TOOLS)] for name, words in SCENARIOS.items()]
executed = [[words, *(_ways[tool][name]["executions"] for tool in TOOLS)] for name, words in SCENARIOS.items()]
_old = {tool: {name: len(_ways[tool][name]["stale"]) for name in SCENARIOS} for tool in TOOLS}
old_of_knit = sum(_old["knit"].values())
old_of_jupyter, old_of_myst = _old["mkdocs-jupyter"]["module"], _old["sphinx + myst-nb"]["module"]
pages = 2 * lessons

both_floors = _ways["knit"]["cold"]["cpu to both floors"]["median"]
same = _ways["knit"]["same"]["cpu"]["median"]
inline = _ways["render, inline"]["cold"]["cpu"]["median"]
memory = _small["memory"]["cold above render, MiB"]

_remaining = _measured["remaining"]["20"]
PARTS = {
    "imports": text(zh="加载程序", en="loading programs"),
    "MkDocs": text(zh="MkDocs", en="MkDocs"),
    "Markdown": text(zh="Markdown 转换", en="Markdown"),
    "Pygments": text(zh="代码上色（Pygments）", en="colouring code (Pygments)"),
    "Jinja": text(zh="模板（Material）", en="templates (Material)"),
    "search": text(zh="搜索索引", en="search index"),
    "jieba": text(zh="中文分词（jieba）", en="Chinese words (jieba)"),
    "knit": text(zh="knit 自己", en="knit itself"),
    "other": text(zh="其余", en="the rest"),
}
parts = [
    [words, _remaining["rendering"].get(name, 0.0), _remaining["same"].get(name, 0.0)] for name, words in PARTS.items()
]
loading = _remaining["same"]["imports"]
of_knit = _remaining["same"]["knit"]


@figure(height=5.4)
def costs(ax: "Axes", t: Labels) -> None:
    """Draw each tool's cost in each scenario, as a ratio to the floor."""
    for place, name in enumerate(SCENARIOS):
        for tool, colour in TOOLS.items():
            found = _ways[tool][name]
            hollow = bool(found["stale"])
            ax.plot(
                found["cpu"]["median"],
                -place,
                "o",
                color=colour,
                markerfacecolor=colours.PAPER if hollow else colour,
                markersize=7,
                label=tool if place == 0 else None,
            )
    ax.axvline(1.0, color=colours.MUTED, linewidth=1)
    ax.set_xscale("log", base=2)
    ticks = (0.5, 1, 2, 4, 8)
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.set_yticks([-place for place in range(len(SCENARIOS))], [t(**words) for words in SCENARIOS.values()])
    ax.set_xlabel(t(zh="是下限的几倍", en="times the floor"))
    ax.set_xlim(0.35, 14)
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
