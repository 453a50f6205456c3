"""What a build of a course costs: reads what `python -m bench` measured, and draws it beside what it may cost."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from knit import colours, figure, text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Labels = Callable[..., str]

NONE = "–"
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
    "myst-nb": colours.SCORE,
}
SHAPES = ("o", "s", "^", "D", "v")  # what is told apart by colour is told apart without it as well


def _listed(items: list[Mapping[str, str]]) -> Mapping[str, str]:
    """Write a list in each language; an empty one as “none”."""
    if not items:
        return text(zh="无", en="none")
    return text(zh="、".join(item["zh"] for item in items), en=", ".join(item["en"] for item in items))


def _numbers(items: list[int]) -> Mapping[str, str]:
    return _listed([text(zh=str(item), en=str(item)) for item in items])


_measured = json.loads((Path(__file__).parents[1] / "bench" / "results.json").read_text("utf-8"))


def _largest(part: str) -> dict[str, Any]:
    """Give what was measured of the largest course."""
    found: dict[str, Any] = _measured[part][max(_measured[part], key=int)]
    return found


# What was built, in which sizes, and by whom.
_builds = {int(size): found for size, found in sorted(_measured["builds"].items(), key=lambda item: int(item[0]))}
_small = next(iter(_builds.values()))
_compared = {size: found for size, found in _builds.items() if any(tool in found["ways"] for tool in list(TOOLS)[1:])}
snippets = _small["size"]["snippets"]
figures = _small["size"]["figures"]
cores = _small["machine"]["cores"]
sizes = _numbers(list(_builds))
compared = _numbers(list(_compared))
rounds = _listed(
    [
        text(zh=f"{size} 课 {found['size']['rounds']} 轮", en=f"{size} lessons {found['size']['rounds']}")
        for size, found in _builds.items()
    ]
)

# Knit beside its limits, on the clock.
limits: list[list[object]] = []
_missed = []
_kept = 0
for _name, _words in SCENARIOS.items():
    for _size, _found in _builds.items():
        _cell = _found["ways"]["knit"][_name]
        _clock, _target = _cell["seconds"], _found["targets"].get(_name)
        _fine = _target is None or _target["of the limit"]["median"] <= 1
        _kept += _target is not None and _fine
        if not _fine:
            _missed.append(text(zh=f"{_words['zh']}（{_size} 课）", en=f"{_words['en']} ({_size} lessons)"))
        limits.append(
            [
                _words,
                _size,
                *(_clock[which] for which in ("min", "median", "max")),
                _cell["cpu"]["median"],
                f"{_target['limit']['median']:.2f}" if _target else NONE,
                _fine if _target else NONE,
            ]
        )
limits_kept = _kept
limits_set = _kept + len(_missed)
limits_missed = _listed(_missed)
memory = [
    [size, found["memory"]["floor"], found["memory"]["cold"], found["memory"]["same"], found["memory"]["limit"]]
    for size, found in _builds.items()
    if found["memory"]
]

# Other tools.
ratios: list[list[object]] = []
executed: list[list[object]] = []
for _name, _words in SCENARIOS.items():
    for _size, _found in _compared.items():
        _cells = [_found["ways"].get(tool, {}).get(_name) for tool in TOOLS]
        ratios.append([_words, _size, *(f"{cell['seconds']['median']:.2f}" if cell else NONE for cell in _cells)])
        _ran = [str(cell["executions"]) if cell else NONE for cell in _cells]
        _drawn = str(_cells[0].get("drawn", NONE)) if _cells[0] else NONE
        executed.append([_words, _size, _found["due"][_name], *_ran, _drawn])


def _old(tool: str, name: str) -> int:
    """Count pages with old numbers after an edit, at all sizes."""
    return sum(len(found["ways"].get(tool, {}).get(name, {"stale": []})["stale"]) for found in _builds.values())


old_of_knit = sum(_old("knit", name) for name in SCENARIOS)
old_of_jupyter, old_of_myst = _old("mkdocs-jupyter", "module"), _old("myst-nb", "module")
beside_myst = [
    [size, *(found["knit beside, same"]["myst-nb"][which] for which in ("min", "median", "max"))]
    for size, found in _compared.items()
    if "myst-nb" in found["knit beside, same"]
]

# The preview.
_preview, _leaks = _largest("preview"), _largest("leaks")
SAVES = {
    "floor": text(zh="一个词（只用 MkDocs）", en="a word (MkDocs alone)"),
    "prose": text(zh="一个词", en="a word"),
    "script": text(zh="脚本里的一个数", en="a number in a script"),
    "module": text(zh="半数课都用的模块", en="a module of every second lesson"),
}
saved = [
    [
        words,
        *(_preview["saves"][kind]["seconds"][which] for which in ("min", "median", "max")),
        f"{_preview['saves'][kind]['own']['median']:.2f}" if kind in {"script", "module"} else NONE,
        NONE if kind == "floor" else _preview["saves"][kind]["of the limit"]["median"] <= 1,
        _preview["saves"][kind]["builds"],
    ]
    for kind, words in SAVES.items()
]
preview_lessons, saves = _preview["lessons"], _leaks["saves"]
leaked_memory, leaked_processes, leaked_files = _leaks["memory"], _leaks["processes"], _leaks["files"]

# Growth.
QUANTITIES = {
    "lessons": (text(zh="课", en="lessons"), colours.GOOD),
    "snippets": (text(zh="每课的代码段", en="snippets of a lesson"), colours.QUERY),
    "values": (text(zh="每页的数", en="values of a page"), colours.KEY),
    "arrays": (text(zh="数组的元素", en="elements of arrays"), colours.VALUE),
    "languages": (text(zh="语言", en="languages"), colours.SCORE),
}
_growth = {name: _measured["growth"][name] for name in QUANTITIES if name in _measured["growth"]}
grown = [
    [
        QUANTITIES[name][0],
        found["numbers"][0],
        found["numbers"][-1],
        found["slope"]["cold"],
        found["slope"]["same"],
        found["memory"][-1],
    ]
    for name, found in _growth.items()
]
steepest = max(max(found["slope"].values()) for found in _growth.values())
_large = _measured["large"]["large"]
large_lessons, large_minutes = _large["lessons"], _large["minutes, cold"]
large_cold, large_same = _large["cold / both floors"], _large["same / render"]
large_peak, large_floor = _large["peak, MiB"]["cold"], _large["peak, MiB"]["render"]
large_each, floor_each = _large["KiB a lesson"]["cold"], _large["KiB a lesson"]["render"]

# Figures in pages or in files.
_placed = _measured["placement"]["placement"]
inline = _placed["inline / files"]["median"]
placed_lessons = _placed["lessons"]
placed = [
    [words, round(_placed["bytes"][name] / 1024, 1), _placed["requests"][name]]
    for name, words in {
        "inline": text(zh="在页面里", en="in the page"),
        "files": text(zh="在文件里，只看一种配色", en="in files, one colour scheme"),
        "files, both schemes": text(zh="在文件里，两种配色都看", en="in files, both colour schemes"),
    }.items()
]

# Where the rest goes.
_remaining = _largest("remaining")
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
remaining_lessons = _remaining["lessons"]
loading = _remaining["same"]["imports"]
of_knit = _remaining["same"]["knit"]


def _rows(ax: "Axes", t: Labels) -> None:
    """Give each edit a row, and costs a scale on which twice is the same step everywhere."""
    ax.axvline(1.0, color=colours.MUTED, linewidth=1)
    ax.set_xscale("log", base=2)
    ticks = [2.0**power for power in range(-4, 6)]
    ax.set_xticks(ticks, [f"{tick:g}" if tick >= 1 else f"1/{1 / tick:g}" for tick in ticks])
    ax.set_yticks([-place for place in range(len(SCENARIOS))], [t(**words) for words in SCENARIOS.values()])
    ax.tick_params(axis="y", pad=6)
    ax.set_xlabel(t(zh="是渲染下限的几倍", en="times the rendering floor"))
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2)


@figure(height=5.4)
def bounds(ax: "Axes", t: Labels) -> None:
    """Draw knit's cost in each scenario and size, from minimum to maximum, and the limit as a bar across."""
    shades = (colours.QUERY, colours.KEY, colours.GOOD, colours.VALUE)
    for step, (size, found) in enumerate(_builds.items()):
        colour, shape = shades[step % len(shades)], SHAPES[step % len(SHAPES)]
        for place, name in enumerate(SCENARIOS):
            height = -place + 0.24 * ((len(_builds) - 1) / 2 - step)
            clock = found["ways"]["knit"][name]["seconds"]
            ax.plot([clock["min"], clock["max"]], [height, height], color=colour, linewidth=2)
            label = t(zh=f"{size} 课", en=f"{size} lessons") if place == 0 else None
            ax.plot(clock["median"], height, shape, color=colour, markersize=5, label=label)
            if name in found["targets"]:
                limit = found["targets"][name]["limit"]["median"]
                ax.plot([limit, limit], [height - 0.1, height + 0.1], color=colours.BAD, linewidth=2)
    _rows(ax, t)


@figure(height=5.4)
def costs(ax: "Axes", t: Labels) -> None:
    """Draw each tool's cost in each scenario: a row for each size, hollow where pages were old."""
    for step, found in enumerate(_compared.values()):
        for place, name in enumerate(SCENARIOS):
            height = -place + 0.3 * ((len(_compared) - 1) / 2 - step)
            for shape, (tool, colour) in zip(SHAPES, TOOLS.items(), strict=True):
                cell = found["ways"].get(tool, {}).get(name)
                if cell is None:
                    continue
                ax.plot(
                    cell["seconds"]["median"],
                    height,
                    shape,
                    color=colour,
                    markerfacecolor=colours.PAPER if cell["stale"] else colour,
                    markersize=6,
                    label=tool if place == step == 0 else None,
                )
    _rows(ax, t)


@figure(height=4.2)
def growing(ax: "Axes", t: Labels) -> None:
    """Draw the cost of a first build against what grows, both as multiples of the smallest course's."""
    most = 1.0
    for shape, (name, found) in zip(SHAPES, _growth.items(), strict=False):
        words, colour = QUANTITIES[name]
        numbers = [number / found["numbers"][0] for number in found["numbers"]]
        most = max(most, *numbers)
        cold = [each["median"] for each in found["cold"]]
        ax.plot(numbers, cold, f"{shape}-", color=colour, markersize=4, label=t(**words))
    ax.plot([1, most], [1, most], color=colours.MUTED, linewidth=1, label=t(zh="成正比", en="in proportion"))
    ax.set_xscale("log", base=2)
    ax.set_yscale("log", base=2)
    ticks = [2**power for power in range(8) if 2**power <= most]
    ax.set_xticks(ticks, [f"{tick}" for tick in ticks])
    ax.set_yticks(ticks, [f"{tick}" for tick in ticks])
    ax.set_xlabel(t(zh="数量是最小的课程的几倍", en="how many times as many as in the smallest course"))
    ax.set_ylabel(t(zh="处理器时间的倍数", en="times its processor seconds"))
    ax.legend()
