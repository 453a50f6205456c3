"""The claims guard the maths: a small wrong change to any function of ``attn`` that a script uses makes one fail."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import attn

ROOT = Path(__file__).parents[1]
SNIPPETS = ROOT / "snippets"

BROKEN_TYPES = ("NameError", "TypeError", "AttributeError", "ImportError", "SyntaxError")
"""What a change raises that is no wrong mathematics but no program any longer."""


# By the public function that goes wrong: the module and function whose source is changed (the helper's, where a helper
# does the work), what stands there once, what is put in its place, and the claim that must notice.
MUTATIONS: dict[str, list[tuple[str, str, str, str]]] = {
    "alibi": [
        ("relative.alibi", "* -np.abs(", "* np.abs(", "O14.a"),
        ("relative.alibi", "-np.abs(_offsets(n, m))", "_offsets(n, m)", "O14.a"),
        ("relative.alibi", "slopes[..., None, None] * ", "", "O14.a"),
        ("relative._offsets", "asked - asked[", "asked + asked[", "O14.a"),
        ("relative._offsets", "asked[-n:, None]", "asked[:n, None]", "O15"),
    ],
    "attention_weights": [
        ("attention.attention_weights", "wide_weights(Q, K, mask", "wide_weights(K, Q, mask", "O14.b"),
        ("attention.attention_weights", "mask, scale)", "None, scale)", "O14.a"),
        ("attention.attention_weights", "mask, scale)", "mask, 1.0)", "O14.b"),
        ("_attention.masked", "scores + wide(bias)", "scores - wide(bias)", "O14.a"),
    ],
    "average_over_rotations": [
        ("invariance.average_over_rotations", "R @ M @ R.mT", "R @ M @ R", "S9.b"),
        ("invariance.average_over_rotations", "mean(axis=0)", "sum(axis=0)", "S9.b"),
        ("invariance.average_over_rotations", "range(4)", "range(3)", "S9.b"),
        ("invariance.average_over_rotations", "math.pi / 2", "math.pi", "S9.b"),
    ],
    "bilinear": [
        ("learned_scores.bilinear", "product(queries, M)", "product(queries, M.mT)", "S8"),
        ("learned_scores.bilinear", "product(product(queries, M), keys.mT)", "product(queries, keys.mT)", "S8"),
        ("learned_scores.bilinear", "= product(product(", "= -product(product(", "S8"),
        ("learned_scores.bilinear", "product(queries, M), keys.mT", "product(keys, M), queries.mT", "S8"),
    ],
    "causal_mask": [
        ("masks.causal_rule", "asked <= asking", "asked < asking", "O2.d"),
        ("masks.causal_rule", "asked <= asking", "asked <= asking + 1", "O2.d"),
        ("masks.causal_rule", "asked <= asking", "asked >= asking", "O2.d"),
        ("masks.causal_mask", "mask_table(causal_rule, n, m)", "mask_table(causal_rule, n, m).T", "O2.d"),
    ],
    "cosine": [
        ("scores.cosine", "= product(", "= -product(", "S6"),
        ("scores.cosine", "_directions(keys).mT", "keys.mT", "S6"),
        ("scores.cosine", "_directions(queries), _directions(keys)", "_directions(keys), _directions(queries)", "S6"),
        ("scores.cosine", "clip(-1, 1)", "clip(0, 1)", "S6"),
        ("scores._directions", "norm(words, axis=-1", "norm(words, axis=-2", "S6"),
    ],
    "dot": [
        ("scores.dot", "product(queries, keys.mT)", "-product(queries, keys.mT)", "S13"),
        ("scores.dot", "product(queries, keys.mT)", "product(keys, queries.mT)", "P2"),
        ("scores.dot", "product(queries, keys.mT)", "product(queries, keys.mT) / len(keys.mT)", "P2"),
        ("scores.dot", "queries, keys.mT", "queries[..., 1:], keys.mT[..., 1:, :]", "P2"),
    ],
    "dot_product_variance": [
        ("statistics.dot_product_variance", 'count("d", d) * ', "", "V4.c"),
        ("statistics.dot_product_variance", 'count("d", d) * ', 'count("d", d) ** 0.5 * ', "V4.c"),
        ("statistics.dot_product_variance", ' * positive("key_variance", key_variance)', "", "V4.c"),
        ("statistics.dot_product_variance", '* positive("query_variance"', '/ positive("query_variance"', "V4.c"),
    ],
    "frequencies": [
        ("position.frequencies", "base: float = 10000.0", "base: float = 1000.0", "O8.a"),
        ("position.frequencies", "** (-np", "** (np", "O8.a"),
        ("position.frequencies", ", 2) / d", ", 2) / (d - 2)", "O8.a"),
        ("position.frequencies", 'np.arange(0, even("d", d), 2)', 'np.arange(even("d", d) // 2)', "O8.a"),
        ("position.frequencies", 'np.arange(0, even("d", d), 2)', 'np.arange(2, even("d", d) + 2, 2)', "O8.a"),
    ],
    "invariant_dimension": [
        ("invariance.invariant_dimension", "= -1, 1", "= 1, 1", "S9.a"),
        ("invariance.invariant_dimension", "G @ basis - basis @ G", "G @ basis + basis @ G", "S9.a"),
        ("invariance.invariant_dimension", "basis - basis.mT", "basis + basis.mT", "S9.a"),
        ("invariance.invariant_dimension", "range(d - 1)", "range(d - 2)", "S9.a"),
        ("invariance.invariant_dimension", "d * d - int(", "int(", "S9.a"),
    ],
    "largest_weight": [
        ("saturation.largest_weight", ".max()", ".min()", "V1.c"),
        ("saturation.largest_weight", "scale * (keys", "(keys", "V1.b"),
        ("saturation.largest_weight", "sample_rows(n, d", "sample_rows(n + 1, d", "V1.b"),
    ],
    "negative_distance": [
        ("scores.negative_distance", "-distances(", "distances(", "S1"),
        ("_words.distances", "np.sqrt(np.square(unit).sum(axis=-1))", "np.square(unit).sum(axis=-1)", "S1"),
        ("_words.distances", "largest[..., 0] * np.sqrt", "np.sqrt", "S1"),
        ("_words.distances", ":, None, :] - wide", ":, None, :] + wide", "S1"),
    ],
    "pairwise_attention": [
        ("pairwise.pairwise_attention", " / math.sqrt(len(q))", "", "P5"),
        ("pairwise.pairwise_attention", "math.sqrt(len(q))", "len(q)", "P5"),
        ("pairwise.pairwise_attention", "math.exp(score - largest)", "math.exp(largest - score)", "P5"),
        ("pairwise.pairwise_attention", "e / math.fsum(raised)", "e / len(raised)", "P5"),
    ],
    "pairwise_scores": [
        ("pairwise.pairwise_scores", "_dot(q, k)", "-_dot(q, k)", "P2"),
        ("pairwise.pairwise_scores", "K.tolist()] for q in Q", "Q.tolist()] for q in K", "P2"),
        ("pairwise._dot", "total = 0.0", "total = 1.0", "P2"),
        ("pairwise._dot", "x * y", "x + y", "P2"),
    ],
    "random_rotation": [
        ("invariance.random_rotation", " < 0", " > 0", "S9.c"),
        ("invariance.random_rotation", "orthogonal[0] *= -1", "orthogonal *= -1", "S9.c"),
        ("invariance.random_rotation", "np.copysign(1, np.diagonal(upper))", "np.diagonal(upper)", "S9.c"),
    ],
    "rope": [
        ("rotary.rotate_pairs", "a * cos - b", "a * cos + b", "O12.b"),
        (
            "rotary.rotate_pairs",
            "a * cos - b * sin, a * sin + b * cos",
            "a * cos + b * sin, b * cos - a * sin",
            "O12.b",
        ),
        ("rotary.rotate_pairs", "axis=-1 if interleaved else -2", "axis=-2", "O12.b"),
        ("rotary.rope", "np.cos(angles), np.sin(angles)", "np.sin(angles), np.cos(angles)", "O12.b"),
        ("rotary.rope", "positions[..., None] *", "(positions[..., None] + 1) *", "O12.b"),
        ("rotary.rope", "positions[..., None] *", "positions[..., None] ** 2 *", "O12.a"),
        ("rotary.rope", "interleaved=interleaved", "interleaved=False", "O12.b"),
    ],
    "rotation": [
        ("invariance.rotation", "[[c, -s], [s, c]]", "[[c, s], [-s, c]]", "O8.b"),
        ("invariance.rotation", "[[c, -s], [s, c]]", "[[c, s], [s, c]]", "S9.c"),
        ("invariance.rotation", "[[c, -s], [s, c]]", "[[c, s], [s, -c]]", "S9.c"),
        ("invariance.rotation", "math.cos(angle), math.sin(angle)", "math.sin(angle), math.cos(angle)", "O8.b"),
    ],
    "sample_dot_products": [
        ("statistics.sample_dot_products", "np.vecdot(", "np.vecdot(1 / math.sqrt(d) * ", "V4.c"),
        (
            "statistics.sample_dot_products",
            "np.vecdot(sample_rows(n, d, variance",
            "np.vecdot(sample_rows(n, d, 1.0",
            "V4.c",
        ),
        (
            "statistics.sample_dot_products",
            "np.vecdot(sample_rows(n, d, variance, rng), sample_rows(n, d, variance, rng))",
            "np.square(sample_rows(n, d, variance, rng)).sum(axis=-1)",
            "V4.c",
        ),
    ],
    "sample_rows": [
        ("statistics.sample_rows", 'math.sqrt(positive("variance", variance)) * ', "", "V4.d"),
        ("statistics.sample_rows", 'math.sqrt(positive("variance", variance))', "variance", "V4.d"),
        ("statistics.sample_rows", "rng.standard_normal(shape)", "(rng.standard_normal(shape) + 1)", "V4.d"),
    ],
    "scaled_dot_product_attention": [
        ("_attention.checked", "math.sqrt(Q.shape[-1])", "Q.shape[-1]", "P5"),
        ("_attention.checked", "1 / math.sqrt(Q.shape[-1])", "1.0", "P5"),
        ("_attention.checked", "math.sqrt(Q.shape[-1])", "math.sqrt(Q.shape[-2])", "P5"),
        ("_attention.checked", 'positive("scale", scale)', "1 / math.sqrt(Q.shape[-1])", "V10.a"),
        ("_attention.scaled_scores", "product(Q, K.mT)", "product(K, Q.mT)", "P5"),
        ("_attention.scaled_scores", "wide(Q) * scale", "wide(Q)", "P5"),
        ("_attention.wide_weights", "scaled_scores(Q, K, scale), mask", "scaled_scores(Q, K, scale), None", "O2.c"),
        ("_attention.masked", "np.where(mask", "np.where(~mask", "O2.d"),
        ("attention.scaled_dot_product_attention", "product(A, V)", "product(A.mT, V)", "P5"),
    ],
    "sinusoidal": [
        ("position.sinusoidal", "[np.sin(angles), np.cos(angles)]", "[np.cos(angles), np.sin(angles)]", "O8.a"),
        ("position.sinusoidal", "axis=-1", "axis=1", "O8.a"),
        ("position.sinusoidal", 'np.arange(count("n", n))', 'np.arange(1, count("n", n) + 1)', "O8.a"),
        ("position.sinusoidal", "* frequencies", "* -frequencies", "O8.a"),
    ],
    "softmax": [
        ("softmax.softmax", "sum(axis=axis", "sum(axis=-1", "P8.b"),
        ("softmax.softmax", "np.exp(", "np.exp2(", "E6"),
        ("softmax.softmax", "raised / np.where(total > 0, total, 1)", "raised", "E6"),
        ("softmax._below_maximum", "below = scores - maximum", "below = scores", "E7"),
        ("softmax._below_maximum", "scores.max(", "scores.min(", "E7"),
        ("softmax._below_maximum", "below = scores - maximum", "below = maximum - scores", "E6"),
        ("softmax._below_maximum", "divided(below, temperature)", "below * temperature", "E5.a"),
    ],
}


CASES = [
    pytest.param(where, old, new, claim, id=f"{function}: {old} -> {new}")
    for function, mutations in MUTATIONS.items()
    for where, old, new, claim in mutations
]


def names_used() -> set[str]:
    """Find what the scripts take from ``attn``: ``attn.name``, or ``from attn import name``, of modules too."""
    used = set()
    for script in SNIPPETS.glob("*.py"):
        for node in ast.walk(ast.parse(script.read_text("utf-8"))):
            match node:
                case ast.Import(names=names):
                    others = [alias.name for alias in names if alias.name.split(".")[0] == "attn" and alias.asname]
                    assert not others, f"{script.name}: import attn by its own name, so that its functions are found"
                case ast.Attribute(value=ast.Name(id="attn"), attr=name):
                    used.add(name)
                case ast.ImportFrom(module=str(module), names=names) if module.split(".")[0] == "attn":
                    used |= {alias.name for alias in names}
    return used


def mutated(where: str, old: str, new: str) -> str:
    """Give a module's source with one place of one function changed; the place must be there exactly once."""
    module, function = where.split(".")
    source = (ROOT / "attn" / f"{module}.py").read_text("utf-8")
    bodies = [
        ast.get_source_segment(source, node)
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef) and node.name == function
    ]
    body = bodies[-1]  # after its overloads
    assert source.count(body) == 1
    assert body.count(old) == 1, f"{old!r} stands {body.count(old)} times in {where}"
    return source.replace(body, body.replace(old, new))


def check(claim: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Check a claim by its script run alone, with the ``attn`` that stands in this folder."""
    (script,) = (path for path in SNIPPETS.glob("repro_*.py") if f'@claim("{claim}"' in path.read_text("utf-8"))
    return subprocess.run(
        [sys.executable, script, "--claim", claim],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)]),
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
            "PYTHONIOENCODING": "utf-8",
            "COLUMNS": "9999",  # why a claim fails stands on one line
        },
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@pytest.fixture
def folder(tmp_path):
    """A folder with a copy of ``attn`` to change."""
    shutil.copytree(ROOT / "attn", tmp_path / "attn", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_every_function_that_a_script_uses_has_a_mutation():
    assert names_used() == set(MUTATIONS)


@pytest.mark.parametrize("function", MUTATIONS)
def test_mutations_change_the_function_s_own_module_or_a_private_one(function):
    modules = {where.split(".")[0] for where, *_ in MUTATIONS[function]}
    own = getattr(attn, function).__module__.removeprefix("attn.")
    assert {module for module in modules if not module.startswith("_")} <= {own}


@pytest.mark.parametrize("claim", sorted({claim for mutations in MUTATIONS.values() for *_, claim in mutations}))
def test_the_claim_holds_as_long_as_nothing_is_changed(claim, folder):
    run = check(claim, folder)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.endswith("1 of 1 claim holds\n")


@pytest.mark.parametrize(("where", "old", "new", "claim"), CASES)
def test_a_small_wrong_change_makes_a_claim_fail(where, old, new, claim, folder):
    (folder / "attn" / f"{where.split('.')[0]}.py").write_text(mutated(where, old, new), "utf-8")
    run = check(claim, folder)
    failure = re.search(rf"^{re.escape(claim)} +FAILS .*\n +line \d+: (\w+)", run.stdout, re.MULTILINE)
    assert run.returncode == 1
    assert failure, run.stdout + run.stderr
    assert failure[1] not in BROKEN_TYPES
