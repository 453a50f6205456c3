"""How a script's value is written: in prose, in formulas, and as plain text."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from babel.numbers import format_compact_decimal

from knit.problem import Refused

NUMBER = re.compile(r"(?P<sign>[-+]?)(?P<digits>[\d,._]+)(?:e(?P<exponent>[-+]?\d+))?(?P<percent>%?)")
LONG = re.compile(r"\d{3}")
WORDS = re.compile(r"(?:\.(?P<digits>\d))?words")
TEX_SPECIAL = re.compile(r"[\\#$%&_{}]")
SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
NO_BREAK = "\u00a0"
"""The space within a number, which stays on its line; ordinary spaces stand where no lines are broken."""

YES_NO = {"zh": ("是", "否"), "en": ("yes", "no")}
LOCALES = {"zh": "zh_Hans_CN"}
"""Babel's name of a language where it is not the language's own."""

NOISE_FLOOR = 1e-15
"""Smallest power of ten that ``bound`` names: a deviation of 0 on one machine is 2e-16 on the next."""


@dataclass(frozen=True)
class Shown:
    """A value as written: HTML for prose, TeX for formulas, plain text for alternative texts and reports."""

    html: str
    tex: str
    plain: str


def show(value: Any, spec: str, language: str) -> Shown:  # noqa: ANN401 - any of values.plain's kinds
    """Write a value.

    Parameters
    ----------
    value : plain data
        A number, text, list (also of lists, for arrays) or a text in several languages.
    spec : str
        A Python format spec, ``words`` or ``.Nwords`` (10 billion), or ``bound`` (a power of ten that is
        not smaller); applied to each element of a list.
    language : str
        The page's language.

    Raises
    ------
    Refused
        When the value cannot be written, or not with this spec.

    """
    if isinstance(value, dict):
        if language in value and all(isinstance(text, str) for text in value.values()):
            return _text(_format(value[language], spec))
        raise Refused(
            f"has the entries {', '.join(map(str, value))}: name one of them, as in name.{next(iter(value), '…')}"
        )
    if isinstance(value, list):
        return _array(value, spec, language)
    if value is None:
        raise Refused("is None: there is nothing to show")
    if isinstance(value, bool):
        return _text(YES_NO.get(language, YES_NO["en"])[not value])
    if isinstance(value, str):
        return _text(_format(value, spec))
    if words := WORDS.fullmatch(spec):
        written = _text(_in_words(value, int(words["digits"] or 1), language))
        return replace(written, html=written.html.replace(" ", NO_BREAK))
    if spec == "bound":
        return _bound(value)
    return _number(_format(value, spec))


def full_precision(value: Any) -> str:  # noqa: ANN401
    """Give every digit of a value."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def exact(value: Any, spec: str) -> str:  # noqa: ANN401
    """Give every digit of a value, but of a bound the bound.

    The digits of rounding noise differ between machines, and a page must not.
    """
    return f"1e{_power(value)}" if spec == "bound" and isinstance(value, int | float) else full_precision(value)


def data(value: Any, spec: str, html: str, origin: str = "") -> str:  # noqa: ANN401
    """Give the HTML of a value that carries its full precision and its origin: script and name."""
    of = f' data-of="{escape(origin)}"' if origin else ""
    return f'<data value="{escape(exact(value, spec))}"{of}>{html}</data>'


def _format(value: object, spec: str) -> str:
    if LONG.search(spec):
        raise Refused(f"bad format {spec!r}: nobody reads a hundred digits")
    try:
        return format(value, spec)
    except (ValueError, TypeError) as error:
        raise Refused(f"bad format {spec!r}: {error}") from None


def _text(text: str) -> Shown:
    return Shown(escape(text, quote=False), rf"\text{{{TEX_SPECIAL.sub(_tex_escape, text)}}}", text)


def _tex_escape(match: re.Match[str]) -> str:
    return r"\backslash " if match[0] == "\\" else "\\" + match[0]


def _number(text: str) -> Shown:
    """Write a formatted number, its exponent as a power of ten."""
    stripped = text.strip()
    if stripped.lstrip("+-") in {"inf", "nan"}:
        sign = "−" if stripped.startswith("-") else ""
        symbol = "∞" if "inf" in stripped else "NaN"
        tex = r"\infty" if "inf" in stripped else r"\text{NaN}"
        return Shown(sign + symbol, ("-" if sign else "") + tex, sign + symbol)
    match = NUMBER.fullmatch(stripped)
    if match is None:  # complex numbers, hexadecimal: as Python writes them
        return _text(text)
    digits, percent = match["digits"], match["percent"]
    negative = match["sign"] == "-" and digits.strip("0.,") != ""
    sign = "−" if negative else match["sign"].replace("-", "")
    tex = ("-" if negative else sign) + digits.replace(",", "{,}") + percent.replace("%", r"\%")
    html = plain = sign + digits + percent
    exponent = int(match["exponent"] or 0)
    if exponent:
        html += f"{NO_BREAK}×{NO_BREAK}10<sup>{_minus(exponent)}</sup>"
        plain += f" × 10{str(exponent).translate(SUPERSCRIPTS)}"
        tex += rf" \times 10^{{{exponent}}}"
    return Shown(html, tex, plain)


def _bound(value: float) -> Shown:
    size = abs(value)
    if not math.isfinite(size):
        raise Refused(f"is {value}: no power of ten bounds it")
    exponent = _power(size)
    return Shown(f"10<sup>{_minus(exponent)}</sup>", f"10^{{{exponent}}}", f"10{str(exponent).translate(SUPERSCRIPTS)}")


def _power(value: float) -> int:
    """Give the exponent of the least power of ten that is not below a size."""
    return math.ceil(math.log10(max(abs(value), NOISE_FLOOR)) - 1e-9)


def _minus(number: int) -> str:
    return str(number).replace("-", "−")


def _in_words(value: float, digits: int, language: str) -> str:
    text = str(
        format_compact_decimal(
            value, format_type="long", locale=LOCALES.get(language, language), fraction_digits=digits
        )
    )
    # A space between digits and Chinese, as in all of the course's prose.
    return re.sub(r"(?<=\d)(?=[^\W\d_])", " ", text.replace("\u00a0", " "))


def _array(value: list[Any], spec: str, language: str) -> Shown:
    """Write a list as a tuple, a list of equally long lists as a matrix."""
    if not any(isinstance(item, list) for item in value):
        items = [show(item, spec, language) for item in value]
        items = [replace(item, tex=f"{{{item.tex}}}") if item.tex.startswith("-") else item for item in items]
        return Shown(*(f"({separator.join(part)})" for separator, part in _parts(items, r",\ ")))
    if any(not isinstance(row, list) or any(isinstance(cell, list) for cell in row) for row in value):
        raise Refused("has more than two dimensions, or rows of another kind: index it")
    rows = [[show(cell, spec, language) for cell in row] for row in value]
    html, tex, plain = zip(*([sep.join(part) for sep, part in _parts(row, " & ")] for row in rows), strict=True)
    matrix = r"\begin{bmatrix}" + r" \\ ".join(tex) + r"\end{bmatrix}"
    return Shown(_bracketed(html), matrix, _bracketed(plain))


def _parts(items: list[Shown], tex_separator: str) -> Iterator[tuple[str, list[str]]]:
    """Give HTML, TeX and plain texts, each with what stands between them."""
    yield ", ", [item.html for item in items]
    yield tex_separator, [item.tex for item in items]
    yield ", ", [item.plain for item in items]


def _bracketed(rows: Iterable[str]) -> str:
    return "[" + ", ".join(f"[{row}]" for row in rows) + "]"
