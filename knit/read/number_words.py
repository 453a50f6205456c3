"""Numbers in words, Chinese and English, each whole: from a hundred on, shares, multiples and decimal fractions.

Smaller counts are free.
"""

from __future__ import annotations

import re

DIGITS = "零〇一二两三四五六七八九"
LARGE_CHINESE = rf"[{DIGITS}十]+(?:[百千万亿][{DIGITS}十]*)+|(?<![几数上])百万"
CHINESE = re.compile(
    rf"(?=[负{DIGITS}十百千万])(?<![第{DIGITS}十百千万])负?(?:"  # first what any begins with: it is quick
    # 一点零头 and 一点一点 are no numbers.
    rf"零点[{DIGITS}]+|[{DIGITS}]*十[{DIGITS}]?点[{DIGITS}](?![分十刻])|[{DIGITS}十]+点(?:[{DIGITS}]{{2,}}|[{DIGITS}](?=[倍万亿]))倍?|"
    rf"(?:[百千万]|{LARGE_CHINESE})分之[{DIGITS}十百]+(?:点[{DIGITS}]+)?|"
    rf"(?:{LARGE_CHINESE})(?:点[{DIGITS}]+)?(?:倍半?)?|"
    rf"[{DIGITS}十]+倍半?|"
    rf"[{DIGITS}十]+成[{DIGITS}]?(?=[的，。、；）])"
    r")"
)

UNITS = "one|two|three|four|five|six|seven|eight|nine"
BELOW_100 = (
    rf"(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ \n-](?:{UNITS}))?|"
    rf"ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:{UNITS})(?:\sand\sa\shalf|\spoint(?:\s(?:zero|{UNITS}))+)?)"
)
LARGE = "thousand|million|billion|trillion"
HUNDREDS = rf"(?:an?|{BELOW_100})[ \n-]hundred(?:\s(?:and\s)?{BELOW_100}(?![ \n-]hundred))?"
LARGE_ENGLISH = (
    rf"(?:{HUNDREDS}|{BELOW_100}|half an?|an?)[ \n-](?:{LARGE})(?:,?\s(?:{HUNDREDS}|{BELOW_100})[ \n-](?:{LARGE}))*"
    rf"(?:\s(?:and\s)?(?:{HUNDREDS}|{BELOW_100})(?![ \n-](?:hundred|{LARGE})))?"
)
FIRST = rf"(?=[abefhmnost])\b(?=minus|an?\b|half|twen|thir|for|fif|eigh|ten|eleven|twelve|{UNITS}|hundred|{LARGE})"
"""How any of them begins: few words do, and the others need not be tried further."""
ENGLISH = re.compile(
    rf"{FIRST}(?:minus\s)?(?:(?:{LARGE_ENGLISH}|{HUNDREDS})(?:-(?:\w+th|first|second|third))?(?:[ \n-]per\s?cent)?|"
    rf"(?:{BELOW_100}|an?)[ \n-]per\s?cent|(?:{UNITS})(?:\spoint(?:\s(?:zero|{UNITS}))+))\b|"
    rf"{FIRST}(?:{UNITS}|ten|hundred|{LARGE})fold\b",
    re.IGNORECASE,
)
