"""Claims: what they state, measure and assert, and what is told of one that fails."""

import importlib.util
from pathlib import Path

import pytest

from knit.claims import evaluate, statements

PATH = Path(__file__).parent / "fixtures" / "claims_script.py"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("claims_script", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_statements_by_language_and_without_blanks_between_chinese_lines():
    doc = """zh: 一句话，
        换了行；用 n 表示
    en: one sentence,
        on two lines
    """
    assert statements(doc) == {"zh": "一句话，换了行；用 n 表示", "en": "one sentence, on two lines"}
    assert statements("For all.") == {"": "For all."}
    doc = """zh: 句子（长的）
        n 个，
        $n$ 次 $x$
        （完）
    """
    assert statements(doc) == {"zh": "句子（长的）n 个，$n$ 次 $x$（完）"}


def test_a_claim_that_holds(script):
    verdict = evaluate(script.well)
    assert verdict.holds
    assert (verdict.measured, verdict.bound) == (0.25, "measured < limit")


def test_a_claim_that_fails_says_what_was_asserted_and_of_what(script):
    verdict = evaluate(script.badly)
    assert not verdict.holds
    assert verdict.error == "not measured < limit; measured = 0.75; limit = 0.5"
    assert "assert measured < limit" in PATH.read_text().splitlines()[verdict.line - 1]


@pytest.mark.parametrize(
    ("name", "told"), [("raises", "ZeroDivisionError: division by zero"), ("silent", "this one returned nothing")]
)
def test_a_claim_that_raises_or_returns_nothing_fails(script, name, told):
    assert told in evaluate(getattr(script, name)).error
