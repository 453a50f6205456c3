"""Formulas as text, for contents, titles, alternative texts and search."""

import pytest

from knit.weave.maths import plain

WRITTEN = [
    # scripts
    (r"\sqrt{d_k}", "√dₖ"),
    (r"QK^\top", "QKᵀ"),
    (r"A^{\mathsf T}K^T", "AᵀKᵀ"),
    (r"10^{-15}", "10⁻¹⁵"),
    (r"x_i^2", "xᵢ²"),
    (r"e^{s_j}", "e^(sⱼ)"),
    (r"W^Q\cdot W^K", "W^Q ⋅ W^K"),
    (r"XW^QY", "XW^Q Y"),
    (r"W^{K\top}", "W^(K⊤)"),
    (r"v_{\text{dog}}+v_{\text{狗}}", "v_dog + v_狗"),
    (r"M_{i,i-1}", "M_(i,i−1)"),
    (r"f''(x)", "f″(x)"),
    (r"90^\circ", "90°"),
    # fractions and roots keep together what belongs together
    (r"\frac{1}{2}", "1/2"),
    (r"\frac{a+b}{2d}", "(a + b)/(2d)"),
    (r"\frac12x", "(1/2)x"),
    (r"\tfrac12\,v", "(1/2) v"),
    (r"\ln\frac12", "ln(1/2)"),
    (r"g(\frac1n)^n", "g(1/n)ⁿ"),
    (r"\frac{\frac ab}{c}", "(a/b)/c"),
    (r"\sqrt{a+b}", "√(a + b)"),
    (r"\sqrt[3]{x}", "³√x"),
    (r"\left(\frac{a}{b}\right)^2", "(a/b)²"),
    (r"\binom nk", "(n over k)"),
    # spaces
    (r"a=b-c", "a = b − c"),
    (r"a=-b", "a = −b"),
    (r"(-a,-b)", "(−a, −b)"),
    (r"|{-a}|-|b|", "|−a| − |b|"),
    (r"2{,}500\times3", "2,500 × 3"),
    (r"(2,500)", "(2, 500)"),
    (r"\cos\theta-\cos(x)", "cos θ − cos(x)"),
    (r"-\det R", "−det R"),
    (r"a/\ln d", "a/ln d"),
    (r"c\sum_{i=1}^n a_i", "c ∑ᵢ₌₁ⁿ aᵢ"),
    (r"a\quad b", "a b"),
    (r"x_1,\ldots,x_n", "x₁, …, xₙ"),
    (r"a+\cdots+b+\dots+c", "a + ⋯ + b + ⋯ + c"),
    # letters
    (r"\mathbf{Z}\mathcal{N}\mathbb{R}\mathbb{E}\ell", "ZNℝEℓ"),
    (r"\hat q\bar x\vec{k}", "q̂x̄k⃗"),
    (r"\overline{(a+b)^2}", "¯((a + b)²)"),
    (r"\text{得分 }s", "得分 s"),
    (r"\query{q}\cdot k", "q ⋅ k"),
    # the large constructs
    (r"\operatorname{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}}\right)V", "softmax(QKᵀ/√dₖ)V"),
    (r"\begin{bmatrix}1&-2\\3&4\end{bmatrix}", "[1, −2; 3, 4]"),
    (r"\begin{bmatrix}\cos\omega&0\end{bmatrix}", "[cos ω, 0]"),
    (r"\begin{aligned}a&=b\\&=c\end{aligned}", "a = b; = c"),
    (r"f(x)=\begin{cases}1&x>0\\0&\text{否则}\end{cases}", "f(x) = {1, x > 0; 0, 否则"),
    (r"\underbrace{QK^\top}_{n\times n}+b", "QKᵀ (n × n) + b"),
    (r"\boxed{a=b}", "a = b"),
    (r"a\phantom{b}c", "ac"),
]


@pytest.mark.parametrize(("latex", "written"), WRITTEN)
def test_formulas_as_text(latex, written):
    assert plain(latex) == written
