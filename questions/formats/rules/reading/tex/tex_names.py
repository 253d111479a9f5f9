"""TeX commands for MathML symbols, where a command tells an editor more than the symbol."""
# ruff: noqa: RUF001 - signs that look like letters are what this is about

from __future__ import annotations

FUNCTIONS = frozenset(
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim ln log max min Pr sec sin"  # noqa: SIM905
    " sinh sup tan tanh liminf limsup".split()
)
GREEK = (
    "α alpha β beta γ gamma δ delta ϵ epsilon ε varepsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda "
    "μ mu ν nu ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon ϕ phi φ varphi χ chi ψ psi ω omega "
    "Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega "
)
OPERATORS = (
    "∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ⋃ bigcup ⋂ bigcap ⋁ bigvee ⋀ bigwedge ⨁ bigoplus ⨂ bigotimes "
    "× times ÷ div ± pm ∓ mp · cdot ⋅ cdot ∗ ast ⋆ star ∘ circ ∙ bullet ⊕ oplus ⊖ ominus ⊗ otimes ⊙ odot "
    "∪ cup ∩ cap ∖ setminus ∨ vee ∧ wedge ¬ neg "
)
RELATIONS = (
    "≤ leq ≥ geq ≠ neq ≡ equiv ≈ approx ≅ cong ∼ sim ≃ simeq ∝ propto ≪ ll ≫ gg ≺ prec ≻ succ ⊂ subset ⊃ supset "
    "⊆ subseteq ⊇ supseteq ∈ in ∉ notin ∋ ni ⊢ vdash ⊨ models ⊥ perp ∥ parallel ∣ mid ⩽ leqslant ⩾ geqslant "
)
ARROWS = (
    "→ to ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ↦ mapsto ⟶ longrightarrow "
    "⟵ longleftarrow ⟹ Longrightarrow ⟺ Longleftrightarrow ↑ uparrow ↓ downarrow ⇌ rightleftharpoons "
)
OTHERS = (
    "∞ infty ∂ partial ∇ nabla ∀ forall ∃ exists ∄ nexists ∅ emptyset ∠ angle △ triangle … ldots "
    "⋯ cdots ⋮ vdots ⋱ ddots "
    "ℏ hbar ℓ ell ℜ Re ℑ Im ℵ aleph ⊤ top † dagger ⟨ langle ⟩ rangle ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil ‖ Vert "
)
PAIRS = (GREEK + OPERATORS + RELATIONS + ARROWS + OTHERS).split()
SYMBOLS = {sign: f"\\{name}" for sign, name in zip(PAIRS[::2], PAIRS[1::2], strict=True)} | {
    **{sign: rf"\mathbb{{{letter}}}" for sign, letter in zip("ℂℕℙℚℝℤ", "CNPQRZ", strict=True)},
    "−": "-",
    "∕": "/",
    "′": "'",
    "〈": r"\langle",
    "〉": r"\rangle",
    "∣": r"\mid",
}
ALPHABETS = {
    "normal": r"\mathrm",
    "bold": r"\mathbf",
    "italic": "",
    "bold-italic": r"\boldsymbol",
    "double-struck": r"\mathbb",
    "script": r"\mathcal",
    "fraktur": r"\mathfrak",
    "sans-serif": r"\mathsf",
    "monospace": r"\mathtt",
}
ACCENTS_OVER = {  # accents over one character, and over several
    "^": (r"\hat", r"\widehat"),
    "ˆ": (r"\hat", r"\widehat"),
    "\u0302": (r"\hat", r"\widehat"),
    "~": (r"\tilde", r"\tilde"),
    "˜": (r"\tilde", r"\tilde"),
    "∼": (r"\tilde", r"\tilde"),
    "\u0303": (r"\tilde", r"\tilde"),
    "¯": (r"\bar", r"\overline"),
    "‾": (r"\bar", r"\overline"),
    "_": (r"\bar", r"\overline"),
    "―": (r"\bar", r"\overline"),
    "\u0305": (r"\bar", r"\overline"),
    "\u0332": (r"\bar", r"\overline"),
    "→": (r"\vec", r"\overrightarrow"),
    "⃗": (r"\vec", r"\overrightarrow"),
    "⇀": (r"\vec", r"\overrightarrow"),
    "˙": (r"\dot", r"\dot"),
    ".": (r"\dot", r"\dot"),
    "¨": (r"\ddot", r"\ddot"),
    "⏞": (r"\overbrace", r"\overbrace"),
}
ACCENTS_UNDER = {"⏟": r"\underbrace", "_": r"\underline", "\u0332": r"\underline", "¯": r"\underline"}
