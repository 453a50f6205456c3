"""Writes into each page what it may load: nothing from another host, and no script but the site's own.

The scripts within pages, the theme's among them, are allowed by their digests (Content Security Policy, level 3).
"""

from __future__ import annotations

import base64
import hashlib
import re

CHARSET = re.compile(r'<meta charset="?utf-8"?\s*/?>', re.IGNORECASE)
SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<text>.*?)</script>", re.IGNORECASE | re.DOTALL)
DATA = re.compile(r"type=[\"']?application/(?:ld\+)?json")
MARK = '<meta http-equiv="Content-Security-Policy"'

RULES = (
    ("default-src", "'none'"),
    ("style-src", "'self' 'unsafe-inline'"),  # figures and formulas have style attributes
    ("img-src", "'self' data:"),
    ("font-src", "'self'"),
    ("connect-src", "'self'"),
    ("worker-src", "'self'"),
    ("manifest-src", "'self'"),
    ("base-uri", "'none'"),
    ("form-action", "'none'"),
)


def protected(html: str, *, serving: bool) -> str:
    """Write the policy into a page that does not have it yet, before anything that it is about.

    Under ``mkdocs serve`` scripts within pages are allowed: it adds one of its own to each page, never the same.
    """
    if MARK in html:
        return html
    scripts = "'unsafe-inline'" if serving else " ".join(sorted(set(digests(html))))
    rules = "; ".join(f"{name} {value}" for name, value in (*RULES, ("script-src", f"'self' {scripts}".strip())))
    return CHARSET.sub(lambda charset: f'{charset[0]}\n    {MARK} content="{rules}">', html, count=1)


def digests(html: str) -> list[str]:
    """Give the digests of the scripts within a page, as a policy names them."""
    return [
        f"'sha256-{base64.b64encode(hashlib.sha256(match['text'].encode()).digest()).decode()}'"
        for match in SCRIPT.finditer(html)
        if "src=" not in match["attributes"] and not DATA.search(match["attributes"])
    ]
