"""Results as workers pack them, and the store keeps and reads them; in which order scripts run."""

import json
from importlib import metadata

import numpy as np
import pytest

from knit.claims import Verdict
from knit.run.packages import packages
from knit.run.result import Fault, Result
from knit.run.times import Times
from knit.run.values import namespace, plain

RESULT = Result(
    values={"x": [1.5, float("inf")], "河": {"en": "bank", "zh": "河岸"}},
    others={"f": "a function"},
    outputs={"": "1\n2\n", "part": "2\n"},
    claims={"P1": Verdict("P1", {"": "It holds."}, [1, 2], None, "x < 1", None, 3)},
    figures={"curve": {"zh": "<svg>因子</svg>", "en": "<svg>factor</svg>"}},
    faults={"figure:other": Fault("snippets/s.py", 7, "figure other: nothing is drawn")},
    seconds=0.25,
)


def test_a_packed_result_is_read_back():
    read = Result.unpacked(RESULT.packed())
    for kind in ("values", "others", "outputs", "claims", "figures", "faults", "seconds"):
        assert getattr(read, kind) == getattr(RESULT, kind)


@pytest.mark.parametrize(
    "kind", ["float64", "float32", "int64", "int32", "bool", ">f8", "int8", "uint64", "complex128"]
)
@pytest.mark.parametrize("shape", [(2, 3, 4), (24,), (1, 24), (), (0, 3)])
def test_an_array_is_read_back_as_lists(kind, shape):
    array = np.random.default_rng(5).integers(-9, 9, 24)[: int(np.prod(shape))].reshape(shape).astype(kind)
    for given in (array, array.T, array[..., ::-1] if shape else array):
        values, others = namespace({"x": given})
        assert Result.unpacked(Result(values, others).packed()).values["x"] == plain(given.tolist())


def test_an_array_of_no_numbers_and_one_that_is_too_large_are_as_they_were():
    values, others = namespace({"words": np.array(["a", "b"]), "large": np.zeros((65, 64)), "nan": np.array([np.nan])})
    read = Result.unpacked(Result(values, others).packed())
    assert read.values["words"] == ["a", "b"]
    assert read.others["large"].startswith("an array of 65 × 64 numbers")
    assert np.isnan(read.values["nan"][0])


def test_what_a_figure_changes_in_an_array_is_not_published():
    array = np.arange(3.0)
    values, others = namespace({"x": array})
    array[:] = 0
    assert Result.unpacked(Result(values, others).packed()).values["x"] == [0.0, 1.0, 2.0]


def test_the_digest_is_of_everything_but_the_time_taken():
    slower = Result(**{**vars(RESULT), "seconds": 9.0})
    other = Result(**{**vars(RESULT), "others": {"f": "a class"}})
    digests = [Result.unpacked(each.packed()).digest for each in (RESULT, slower, other)]
    assert digests[0] == digests[1] != digests[2]


@pytest.mark.parametrize(
    "damage", [lambda b: b[:-1], lambda b: b[:40], lambda b: b[:0], lambda b: b.replace(b"1.5", b"1.6")]
)
def test_a_damaged_result_is_none(damage):
    with pytest.raises(ValueError, match=r"digest|Expecting|Unterminated"):
        Result.unpacked(damage(RESULT.packed()))


def test_packages_are_those_that_python_finds():
    known = metadata.packages_distributions()
    for module, brought_by in known.items():
        assert packages([module]) == tuple(sorted(set(brought_by)))
    assert packages(["json", "no_such_module"]) == ()


def test_a_package_is_found_by_a_module_of_another_name():
    assert packages(["PIL", "yaml", "mpl_toolkits"]) == ("PyYAML", "matplotlib", "pillow")


@pytest.mark.parametrize("kind", ["float64", "float32", "float16", ">f8", "int8", "int64", "uint64", "bool", "U3", "O"])
def test_arrays_become_what_json_can_write(kind):
    array = np.array([[0, 1], [1, 0]]).astype(kind)
    assert json.loads(json.dumps(plain(array))) == array.tolist()


def test_the_longest_script_runs_first(tmp_path):
    for name, size in (("a", 10), ("b", 10), ("c", 30), ("d", 20)):
        (tmp_path / name).write_text("#" * size)
    times = Times(tmp_path, tmp_path / "times.json")
    assert times.longest_first(["a", "b", "c", "d"]) == ["c", "d", "a", "b"]
    times.note("a", 5.0)
    times.note("b", 1.0)  # the two took .3 s a letter, so c may take 9 s and d 6 s
    times.save()
    assert Times(tmp_path, tmp_path / "times.json").longest_first(["a", "b", "c", "d"]) == ["c", "d", "a", "b"]
    times.note("a", 7.0)
    times.note("c", 2.0)  # 10 s for 50 letters
    assert times.longest_first(["a", "b", "c", "d"]) == ["a", "d", "c", "b"]


@pytest.mark.parametrize("memory", ["", "[1]", '{"a": "long"}', '{"a": null}', "{"])
def test_a_damaged_memory_of_times_is_none(tmp_path, memory):
    (tmp_path / "times.json").write_text(memory)
    assert Times(tmp_path, tmp_path / "times.json").longest_first(["a", "b"]) == ["a", "b"]
