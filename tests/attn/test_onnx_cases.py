"""The node test cases that the onnx package ships, and its reference evaluator on inputs of our own.

A case is an operator with inputs and the outputs expected of it. `RUNNERS` says each operator in attn's words;
`LEFT_OUT` says which cases do not apply and why, and a test holds it to exactly those.
"""

import importlib
from types import SimpleNamespace

import numpy as np
import pytest
from onnx import helper
from onnx.backend.test.case import node as node_cases
from onnx.reference import ReferenceEvaluator

import attn

MODULES = {
    "Attention": "attention",
    "FlexAttention": "flexattention",
    "Gelu": "gelu",
    "LayerNormalization": "layernormalization",
    "LogSoftmax": "logsoftmax",
    "RotaryEmbedding": "rotaryembedding",
    "Softmax": "softmax",
    "SoftmaxCrossEntropyLoss": "softmax_cross_entropy_loss",
}


def collected():
    """Return the cases of the modules above; importing one adds its cases to onnx's list."""
    for module in MODULES.values():
        importlib.import_module(f"onnx.backend.test.case.node.{module}")
    cases = [case for case in node_cases._NodeTestCases if case.model.graph.node[0].op_type in MODULES]
    return {case.name: case for case in cases if "_expanded" not in case.name}  # the same again, as smaller operators


def unpack(case):
    """Return a case's operator, attributes, inputs and expected outputs, the latter two by name."""
    node = case.model.graph.node[0]
    inputs, outputs = case.data_sets[0]
    return SimpleNamespace(
        op=node.op_type,
        attributes={a.name: helper.get_attribute_value(a) for a in node.attribute},
        inputs=dict(zip([name for name in node.input if name], inputs, strict=True)),
        outputs=dict(zip([name for name in node.output if name], outputs, strict=True)),
    )


def left_out(case):
    """Say why a case does not apply, or nothing."""
    a, inputs = case.attributes, case.inputs.values()
    if any(array.dtype.name == "bfloat16" for array in inputs):
        return "numpy has no bfloat16"
    if "softcap" in a:
        return "scores are not capped in this course"
    if case.op == "FlexAttention" and ("score_mod" in a or "prob_mod" in a):
        return "the rule is an ONNX graph"
    if case.op == "Gelu" and a.get("approximate") != b"tanh":
        return "gelu is the tanh approximation"
    if case.op == "SoftmaxCrossEntropyLoss" and ("w" in case.inputs or a["reduction"] != b"mean"):
        return "cross_entropy is the mean, and words weigh the same"
    return None


CASES = {name: unpack(case) for name, case in collected().items()}
REASONS = {name: reason for name, case in CASES.items() if (reason := left_out(case))}
APPLY = [name for name in CASES if name not in REASONS]

LEFT_OUT = {
    "scores are not capped in this course": """
        test_attention_4d_softcap test_attention_4d_gqa_softcap test_attention_4d_diff_heads_sizes_softcap
        test_attention_4d_with_qk_matmul_softcap test_attention_3d_softcap test_attention_3d_gqa_softcap
        test_attention_3d_diff_heads_sizes_softcap test_attention_3d_with_past_and_present_qk_matmul_softcap
        test_attention_4d_softcap_neginf_mask test_attention_4d_softcap_neginf_mask_poison
        test_attention_local_window_gqa_rank4_mask
    """,
    "numpy has no bfloat16": """
        test_attention_4d_causal_bf16 test_attention_4d_padded_kv_bf16 test_attention_4d_causal_padded_kv_bf16
        test_attention_4d_attn_mask_causal_bf16 test_attention_3d_causal_bf16
    """,
    "the rule is an ONNX graph": """
        test_flexattention_score_mod test_flexattention_prob_mod test_flexattention_causal_mask
        test_flexattention_soft_cap test_flexattention_relative_positional
    """,
    "gelu is the tanh approximation": "test_gelu_default_1 test_gelu_default_2",
}


def attention(case):
    """Run ONNX's Attention: heads, groups, past, masks, causality, padding and windows, by attn's parts."""
    a, x = case.attributes, case.inputs
    Q, K, V, three_d = x["Q"], x["K"], x["V"], x["Q"].ndim == 3
    if three_d:
        Q = attn.split_heads(Q, a["q_num_heads"])
        K, V = (attn.split_heads(array, a["kv_num_heads"]) for array in (K, V))
    cache = attn.KVCache()
    if "past_key" in x:
        cache.append(x["past_key"], x["past_value"])
    past = len(cache)
    present = cache.append(K, V)
    keys, values = (attn.repeat_heads(array, Q.shape[1] // K.shape[1]) for array in present)
    mask, scale = mask_of(a, x, Q.shape[-2], keys.shape[-2], past), a.get("scale")
    Z, A = attn.scaled_dot_product_attention(Q, keys, values, mask, scale, return_weights=True)
    scores = attn.dot(Q, keys) * np.asarray(scale or Q.shape[-1] ** -0.5, Q.dtype)
    biased = scores if mask is None or mask.dtype == bool else scores + mask
    return {
        "Y": attn.merge_heads(Z) if three_d else Z,
        "present_key": present[0],
        "present_value": present[1],
        "qk_matmul_output": {0: scores, 2: biased, 3: A}[a.get("qk_matmul_output_mode", 0)],
    }


def mask_of(a, x, n, m, past):
    """Put a case's mask, causality, window and padding into one boolean or additive mask, or None."""
    mask, visible = x.get("attn_mask"), None
    batch = x["Q"].shape[0]
    lengths = x.get("nonpad_kv_seqlen", np.full(batch, m))[:, None, None, None]
    asked = np.arange(m)
    asking = np.arange(n)[:, None] + (lengths - n if "nonpad_kv_seqlen" in x else past)  # position of each query
    left, right = a.get("left_window_size", -1), a.get("right_window_size", -1)
    rules = [
        (a.get("is_causal"), lambda: attn.causal_rule(asking, asked)),
        (left >= 0 and a.get("is_causal"), lambda: attn.window_rule(left + 1)(asking, asked)),
        (left >= 0, lambda: asked >= asking - left),
        (right >= 0, lambda: asked <= asking + right),
        ("nonpad_kv_seqlen" in x, lambda: asked < lengths),
    ]
    for applies, rule in rules:
        if applies:
            visible = rule() if visible is None else visible & rule()
    if mask is None:
        return visible
    forbidden = False if mask.dtype == bool else -np.inf
    if mask.shape[-1] not in {1, m}:  # shorter than the padded keys
        mask = np.pad(mask, [(0, 0)] * (mask.ndim - 1) + [(0, m - mask.shape[-1])], constant_values=forbidden)
    return mask if visible is None else np.where(visible, mask, np.array(forbidden, mask.dtype))


def rotary(case):
    a, x = case.attributes, case.inputs
    words = x["input"] if x["input"].ndim == 4 else attn.split_heads(x["input"], a["num_heads"])
    tables = [x[name][x["position_ids"]] if "position_ids" in x else x[name] for name in ("cos_cache", "sin_cache")]
    turned = a.get("rotary_embedding_dim") or words.shape[-1]  # the components after these stay
    front = attn.rotate_pairs(
        words[..., :turned], *(t[:, None] for t in tables), interleaved=bool(a.get("interleaved"))
    )
    words = np.concatenate([front, words[..., turned:]], axis=-1)
    return {"output": words if x["input"].ndim == 4 else attn.merge_heads(words)}


def layer_norm(case):
    """Run ONNX's LayerNormalization: the axes from the given one on, laid out as one word."""
    x, axis = case.inputs["X"], case.attributes.get("axis", -1)
    words = x.reshape(*x.shape[: axis % x.ndim], -1)
    gain, bias = case.inputs["W"].ravel(), case.inputs["B"].ravel()
    return {"Y": attn.layer_norm(words, gain, bias, case.attributes.get("epsilon", 1e-5)).reshape(x.shape)}


def loss(case):
    logits, targets = np.moveaxis(case.inputs["x"], 1, -1), case.inputs["y"]
    ignored = case.attributes.get("ignore_index")
    counted = np.ones(targets.shape, bool) if ignored is None else targets != ignored
    outputs = {"z": attn.cross_entropy(logits, np.where(counted, targets, 0), counted)}
    return outputs | {"log_prob": np.moveaxis(attn.log_softmax(logits), -1, 1)}


RUNNERS = {
    "Attention": attention,
    "FlexAttention": attention,
    "Gelu": lambda case: {"y": attn.gelu(case.inputs["x"])},
    "LayerNormalization": layer_norm,
    "LogSoftmax": lambda case: {"y": attn.log_softmax(case.inputs["x"], case.attributes.get("axis", -1))},
    "RotaryEmbedding": rotary,
    "Softmax": lambda case: {"y": attn.softmax(case.inputs["x"], case.attributes.get("axis", -1))},
    "SoftmaxCrossEntropyLoss": loss,
}


@pytest.mark.parametrize("name", APPLY)
def test_node_case(name):
    case = CASES[name]
    ours = RUNNERS[case.op](case)
    half = any(array.dtype == np.float16 for array in case.inputs.values())
    for output, expected in case.outputs.items():
        if output in {"Mean", "InvStdDev"}:
            continue  # steps on the way that layer_norm does not give
        assert ours[output].dtype == expected.dtype
        np.testing.assert_allclose(ours[output], expected, rtol=2e-3 if half else 1e-5, atol=1e-3 if half else 1e-6)


def test_the_cases_left_out_are_those_listed():
    losses = "cross_entropy is the mean, and words weigh the same"
    listed = {name: reason for reason, names in LEFT_OUT.items() for name in names.split()}
    assert {name: reason for name, reason in REASONS.items() if reason != losses} == listed
    assert {CASES[name].op for name, reason in REASONS.items() if reason == losses} == {"SoftmaxCrossEntropyLoss"}


def test_most_cases_apply():
    """An empty collection would pass without a word."""
    ops = [CASES[name].op for name in APPLY]
    floors = {"Attention": 70, "FlexAttention": 6, "LayerNormalization": 19, "LogSoftmax": 7, "RotaryEmbedding": 8}
    assert all(ops.count(op) >= floor for op, floor in (floors | {"Softmax": 7}).items())


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("causal", [0, 1])
@pytest.mark.parametrize("kv_heads", [1, 2, 6])
def test_attention_is_the_reference_evaluators(rng, dtype, causal, kv_heads, agree):
    heads, n, d = 6, 7, 16
    Q = rng.standard_normal((2, heads, n, d)).astype(dtype)
    K, V = rng.standard_normal((2, 2, kv_heads, n, d)).astype(dtype)
    mask = rng.standard_normal((n, n)).astype(dtype)
    (theirs,) = evaluate("Attention", {"Q": Q, "K": K, "V": V, "mask": mask}, 23, is_causal=causal)
    bias = np.where(attn.causal_mask(n), mask, -np.inf) if causal else mask
    K, V = (attn.repeat_heads(array, heads // kv_heads) for array in (K, V))
    agree(attn.scaled_dot_product_attention(Q, K, V, bias), theirs)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_softmax_and_layer_norm_are_the_reference_evaluators(rng, dtype, agree):
    x, gain, bias = (rng.standard_normal(shape).astype(dtype) for shape in ((3, 5, 32), (32,), (32,)))
    agree(attn.softmax(x), evaluate("Softmax", {"x": x}, 13)[0])
    agree(attn.log_softmax(x), evaluate("LogSoftmax", {"x": x}, 13)[0])
    epsilon = float(np.float32(1e-5))  # ONNX keeps it in single precision
    theirs = evaluate("LayerNormalization", {"x": x, "g": gain, "b": bias}, 17, epsilon=epsilon)
    agree(attn.layer_norm(x, gain, bias, epsilon), theirs[0])


def evaluate(op, inputs, opset, **attributes):
    """Run a single operator in ONNX's reference evaluator."""
    kinds = {name: helper.np_dtype_to_tensor_dtype(array.dtype) for name, array in inputs.items()}
    graph = helper.make_graph(
        [helper.make_node(op, list(inputs), ["y"], **attributes)],
        op,
        [helper.make_tensor_value_info(name, kind, None) for name, kind in kinds.items()],
        [helper.make_tensor_value_info("y", next(iter(kinds.values())), None)],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    return ReferenceEvaluator(model).run(None, inputs)
