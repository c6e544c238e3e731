"""Formulas of the pages become MathML: well-formed, nothing lost, fractions and indices where they belong."""

import importlib.util
import re
import unicodedata
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]
THEORY = sorted((ROOT / "docs" / "site" / "theory").glob("*.md"))
SPEC = importlib.util.spec_from_file_location("mathematics", ROOT / "docs" / "mathematics.py")
mathematics = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(mathematics)


def blocks(text):
    """Indented blocks of a page."""
    return re.findall(r"(?<=\n\n)(?:    .*\n)+", text)


def letters(text):
    """What is read aloud: letters and digits, marks left out, indices on the line."""
    plain = unicodedata.normalize("NFKD", text).replace("∑", "Σ").replace("∏", "Π").replace("⊤", "T")
    return [c for c in plain if c.isalnum()]


@pytest.mark.parametrize("page", THEORY, ids=lambda page: page.stem)
def test_every_formula_of_the_theory_is_well_formed_and_whole(page):
    text = page.read_text()
    found = [line.strip() for line in mathematics.typeset(text).split("\n") if 'class="formula"' in line]
    assert len(found) == len(blocks(text))
    for source, made in zip(blocks(text), found, strict=True):
        tree = ElementTree.fromstring(made)
        assert sorted(letters("".join(tree.itertext()))) == sorted(letters(source)), source


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("ψ/h", "<mfrac><mrow><mi>ψ</mi></mrow><mrow><mi>h</mi></mrow></mfrac>"),
        (
            "c (a + b)/16h",
            "<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mrow><mn>16</mn><mi>h</mi></mrow></mfrac>",
        ),
        ("v_free", "<msub><mi>v</mi><mrow><mtext>free</mtext></mrow></msub>"),
        ("A_ij", "<msub><mi>A</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub>"),
        ("M⁻¹", "<msup><mi>M</mi><mrow><mo>−</mo><mn>1</mn></mrow></msup>"),
        ("e^{−h/τ}", "<mo>/</mo>"),
        ("where it slips", "<mtext>where it slips</mtext>"),
        ("a ball joint", "<mtext>a ball joint</mtext>"),
    ],
)
def test_what_touches_binds_first(text, made):
    assert made in mathematics.formula(text)


def test_marks_stand_above_their_letters():
    assert '<mover accent="true"><mi>ψ</mi><mo stretchy="false">˙</mo></mover>' in mathematics.display(["    ψ̇ = 0"])


def test_brackets_below_each_other_are_matrices():
    tree = ElementTree.fromstring(mathematics.display(["    [ A  B ] [ x ]   [ 0 ]", "    [ C  D ] [ y ] = [ 1 ]"]))
    assert [len(table) for table in tree.iter("mtable")] == [2, 2, 2]
    assert "".join(tree.itertext()) == "[ABCD][xy]=[01]"


def test_columns_stand_below_each_other_and_code_is_left_alone():
    rows = list(
        ElementTree.fromstring(mathematics.display(["    p        solve", "    x, q     as below"])).iter("mtr")
    )
    assert [len(row) for row in rows] == [2, 2]
    page = "text\n\n```python\n\n    x = 1\n```\n\n- a list\n\n        U = I S\n\nend"
    made = mathematics.typeset(page)
    assert "    x = 1" in made
    assert "    <span class=" in made, "within a list it stays in its item"


def test_letters_with_an_index_are_set_in_the_text_and_code_is_not():
    made = mathematics.typeset("an element of n_e and `q_j`, in tests/a_b.py, with ω_L")
    assert made == "an element of <i>n</i><sub>e</sub> and `q_j`, in tests/a_b.py, with <i>ω</i><sub>L</sub>"
    made = mathematics.typeset("2ẋ_{n−1}, O(h^p), J_nᵀ, |w_i|/s_i, v_free(t), [x](a_b.md)")
    rate = "|<i>w</i><sub>i</sub>|/<i>s</i><sub>i</sub>"
    powers = "2<i>ẋ</i><sub>n−1</sub>, O(<i>h</i><sup>p</sup>), <i>J</i><sub>n</sub>ᵀ"
    assert made == f"{powers}, {rate}, v_free(t), [x](a_b.md)"


def test_a_paragraph_of_a_notebook_that_begins_with_a_formula_stays_one():
    markdown = pytest.importorskip("markdown")
    for needed in ("latex2mathml", "mkdocs"):
        pytest.importorskip(needed)
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    page = markdown.markdown(generate._from_tex("$M$ is symmetric.\n$q$ is not.\n\n$$ w = M z $$\n\nEnd."))
    assert re.sub(r"<math.*?</math>", "F", page).count("<p>") == 3
