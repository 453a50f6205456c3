"""Expected failures: a lesson shows code that fails, and the build stops when it no longer does."""

FAILING = """\
import numpy as np
from knit import fails
# --8<-- [start:mismatch]
with fails(ValueError, "setting an array element with a sequence."):
    np.zeros(2)[0] = {what}
# --8<-- [end:mismatch]
x = 1
"""


def outcome(workshop, source):
    workshop.write("snippets/s.py", source)
    return workshop.look()[0].results.outcomes["snippets/s.py"]


def test_the_error_is_what_the_section_prints(empty_workshop):
    result = outcome(empty_workshop, FAILING.format(what="[1, 2]")).result
    assert result.outputs["mismatch"] == "ValueError: setting an array element with a sequence.\n"
    assert result.values["x"] == 1


def test_it_is_an_error_when_it_stops_failing(empty_workshop):
    fault = outcome(empty_workshop, FAILING.format(what="1")).fault
    assert fault.line == 4
    assert "was to fail with 'ValueError: setting an array" in fault.message
    assert fault.message.endswith("it does not fail any longer")


def test_it_is_an_error_when_it_fails_otherwise(empty_workshop):
    fault = outcome(empty_workshop, FAILING.format(what="'a'")).fault
    assert fault.line in {4, 5}
    assert "it fails with \"ValueError: could not convert string to float: 'a'\"" in fault.message
    fault = outcome(empty_workshop, FAILING.format(what="1 / 0")).fault
    assert "it fails with 'ZeroDivisionError: division by zero'" in fault.message
