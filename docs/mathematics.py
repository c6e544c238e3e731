"""Formulas of the pages as MathML, which browsers typeset themselves: no script, no font, no network.

In the sources a formula is an indented block in plain letters, as one writes it in a message:

    0 ≤ p ⟂ A p + q ≥ 0,    A = J M⁻¹ Jᵀ,    q = J (v + h M⁻¹ f) + ψ/h + ∂ψ/∂t

What touches binds first: ``8h²k/27`` is a fraction of a product, ``c (a + b)/2`` a product with a fraction. Two blanks
or more part columns (where they stand below each other) or formulas. Words are text. Square brackets below each other
are matrices.
"""

from __future__ import annotations

import re
import unicodedata
from html import escape

SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵀ", "0123456789+−⊤", strict=True))
SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))
ACCENTS = {"\u0307": "˙", "\u0308": "¨", "\u0303": "~", "\u0302": "^", "\u0304": "¯"}
FUNCTIONS = {"sin", "cos", "exp", "min", "max", "diag", "axial", "sat", "low", "high", "log"}
PRODUCTS = {"EA", "EI", "hD", "hc", "kt", "dt", "hk"}
"""Letters side by side that are no words."""

PAIRS = {"(": ")", "{": "}", "[": "]"}
TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<number>\d+(?:\.\d+)?(?:e-\d+)?|[½¼¾])|(?P<dots>\.\.+)"
    r"|(?P<word>[A-Za-z]{2,}\d?(?:[-–][A-Za-z]+)*(?:'s?)?(?![\u0300-\u036f]))"
    r"|(?P<letter>[^\W\d_⁰¹²³⁴-⁹ᵀ₀-₉][\u0300-\u036f]*)|(?P<other>\+=|.)"
)


def typeset(markdown: str) -> str:
    """A page with its indented blocks as formulas."""
    lines, out, block = markdown.split("\n"), [], []
    fenced = False
    for line in [*lines, "end"]:
        fenced ^= line.lstrip().startswith("```")
        if not fenced and line.startswith("    ") and (block or not out or not out[-1].strip()):
            block.append(line)
            continue
        if block:
            out.append(display(block))
            block = []
        out.append(line if fenced or line.startswith("    ") else prose(line))
    return "\n".join(out[:-1])


LETTER = r"(?:(?<![^\W\d]|[/._\\])|(?<=\W\w/)|(?<=[|‖)]/))([^\W\d_][\u0300-\u036f]?'?)"
"""Alone, or behind a number or a line of a fraction; no end of a word or of a file's name."""

INDEX = r"([^\W⁰¹²³⁴-⁹ᵀ]+|⊥|½)|\{([^{}]+)\}"
INDEXED = re.compile(rf"{LETTER}(?:_(?:{INDEX}))?(?:\^(?:{INDEX}))?(?![^\W⁰¹²³⁴-⁹ᵀ]|\()")


def prose(line: str) -> str:
    """A line of text in which letters with an index or a power are set as such; code and links stay as they are."""
    parts = re.split(r"(`[^`]*`|\]\([^)]*\))", line)
    return "".join(part if k % 2 else INDEXED.sub(_set, part) for k, part in enumerate(parts))


def _set(found: re.Match[str]) -> str:
    letter, *marks = found.groups()
    below, above = marks[0] or marks[1], marks[2] or marks[3]
    low, high = (f"<{tag}>{mark}</{tag}>" if mark else "" for tag, mark in (("sub", below), ("sup", above)))
    return f"<i>{letter}</i>{low}{high}" if low or high else found[0]


def display(lines: list[str]) -> str:
    """Lines of a block as one formula that stands by itself."""
    margin = min(len(line) - len(line.lstrip()) for line in lines)
    lines = [unicodedata.normalize("NFD", line[margin:].rstrip()).replace("=\u0338", "≠") for line in lines]
    body = _matrices(lines) if lines[0].startswith("[") and len(lines) > 1 else _table(lines)
    kind = "div" if margin == 4 else "span"  # within a list Markdown takes no blocks of HTML
    return f'{" " * (margin - 4)}<{kind} class="formula"><math display="block">{body}</math></{kind}>\n'


def _table(lines: list[str]) -> str:
    """Rows; what begins below each other is a column, other parts of a row are set apart by a space."""
    starts = [{match.end() for match in re.finditer(r"(?<=\S) {2,}", line)} | {_indent(line)} for line in lines]
    shared = sorted(at for at in set().union(*starts) if sum(at in one for one in starts) > 1 or at == 0)
    rows = []
    for line, own in zip(lines, starts, strict=True):
        columns = [at for at in shared if at in own or at == 0]
        cells = []
        for at, end in zip(columns, [*columns[1:], len(line)], strict=True):
            span = sum(at <= other < end for other in shared) or 1
            parts = re.split(r" {2,}", line[at:end].strip())
            inner = '<mspace width="2em"/>'.join(formula(part) for part in parts)
            cells.append(f'<mtd columnspan="{span}">{inner}</mtd>' if span > 1 else f"<mtd>{inner}</mtd>")
        rows.append(f"<mtr>{''.join(cells)}</mtr>")
    return f'<mtable displaystyle="true">{"".join(rows)}</mtable>'


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _matrices(lines: list[str]) -> str:
    """Brackets below each other as matrices, with what stands between them."""
    parts = [re.split(r"\[(.*?)\]", line) for line in lines]  # between, inside, between, ..
    out = []
    for k in range(max(map(len, parts))):
        column = [part[k].strip() if k < len(part) else "" for part in parts]
        if k % 2:
            rows = ("".join(f"<mtd>{formula(cell)}</mtd>" for cell in re.split(r" {2,}", one)) for one in column)
            table = "".join(f"<mtr>{row}</mtr>" for row in rows)
            out.append(f'<mrow><mo>[</mo><mtable class="matrix">{table}</mtable><mo>]</mo></mrow>')
        elif text := " ".join(filter(None, column)):
            space = '<mspace width="2em"/>' if k == max(map(len, parts)) - 1 and len(text) > 2 else ""
            out.append(space + formula(text))
    return f"<mrow>{''.join(out)}</mrow>"


def formula(text: str) -> str:
    """One formula, or a piece of text, as a row."""
    return _Reader(text).row()


class _Reader:
    """Reads tokens from left to right; groups by brackets, fractions by what touches them."""

    def __init__(self, text: str) -> None:
        self.flat = False  # in an index, where fractions would be too small
        self.tokens = [(match.lastgroup or "", match[0]) for match in TOKEN.finditer(text)]
        self.at = 0

    def row(self, closing: str = "") -> str:
        """Items up to a closing bracket or the end."""
        items: list[str] = []  # what stands in the row
        run: list[str] = []  # the last items that touch each other
        text: list[str] = []

        def flush(after: str = "&#160;") -> None:
            if text:
                before = "&#160;" if items or run else ""
                items.append(f"<mtext>{before}{escape(' '.join(text))}{after}</mtext>")
                text.clear()

        while self.at < len(self.tokens):
            kind, token = self.tokens[self.at]
            if closing and token == closing:
                break
            if kind == "space":
                self.at += 1
                items += run
                run = []
            elif self._is_text(kind, token):
                items += run
                run = []
                text.append(token)
                self.at += 1
            elif text and token in ",.;:" and self._before() != "space":
                text[-1] += token
                self.at += 1
            elif token == "/" and run and self._can_divide():
                flush()
                self.at += 1
                run = [f"<mfrac>{_bare(run)}{_bare(self._touching())}</mfrac>"]
            else:
                flush()
                atom, breaks = self._atom()
                if breaks:
                    items += [*run, atom]
                    run = []
                else:
                    run.append(atom)
        items += run
        flush("")
        return f"<mrow>{''.join(items)}</mrow>"

    def _before(self) -> str:
        return self.tokens[self.at - 1][0] if self.at else ""

    def _is_text(self, kind: str, token: str) -> bool:
        """Words; and letters between words, such as an article."""
        if kind == "word":
            return token not in FUNCTIONS and token not in PRODUCTS
        after, before = self._near(2), self._near(-2)
        sentence = before is None or self._is_word(*before) or before[0] == "number" or before[1] in ",:;"
        return kind == "letter" and token == "a" and after is not None and self._is_word(*after) and sentence

    def _near(self, step: int) -> tuple[str, str] | None:
        at = self.at + step
        return self.tokens[at] if 0 <= at < len(self.tokens) else None

    def _is_word(self, kind: str, token: str) -> bool:
        return kind == "word" and token not in FUNCTIONS and token not in PRODUCTS

    def _can_divide(self) -> bool:
        """Whether what follows the slash can stand below a line."""
        if self.flat:
            return False
        kind, token = self.tokens[self.at + 1] if self.at + 1 < len(self.tokens) else ("space", "")
        return (kind in ("number", "letter") and token not in "ΣΠ") or token in "(‖∂|" or token in PRODUCTS

    def _touching(self) -> list[str]:
        """Atoms up to a blank, a comma, an operator or a bracket that closes."""
        found = []
        while self.at < len(self.tokens):
            kind, token = self.tokens[self.at]
            if kind == "space" or token in ",;:=+−·×/)}]" or (found and token in "‖|"):
                break
            found.append(self._atom()[0])
        return found

    def _atom(self) -> tuple[str, bool]:
        """One symbol or group with its indices; and whether it is an operator that parts what is around it."""
        kind, token = self.tokens[self.at]
        self.at += 1
        breaks = False
        if token in PAIRS or token in "‖|":
            base = self._group(token, PAIRS.get(token, token))
        elif token == "√":
            base = f"<msqrt>{_bare([self._atom()[0]])}</msqrt>"
        elif kind == "number":
            base = f"<mn>{token}</mn>"
        elif kind == "word":
            parts = [token] if token in FUNCTIONS else list(token)
            base = "".join(f"<mi>{part}</mi>" for part in parts)
            base = base if len(parts) == 1 else f"<mrow>{base}</mrow>"
        elif token == "Σ" or (token == "Π" and [one for _, one in self.tokens[self.at : self.at + 2]] == ["_", "{"]):
            base = f'<mo largeop="true" movablelimits="false">{"∑" if token == "Σ" else "∏"}</mo>'
        elif kind == "letter":
            base = _letter(token)
        elif kind == "dots":
            base = "<mo>…</mo>"
        else:
            base = f"<mo>{escape(token)}</mo>"
            breaks = token != "∂"
        return self._indexed(base), breaks

    def _group(self, opening: str, closing: str) -> str:
        """What stands between brackets; a bracket without its other one stands alone."""
        rest = [token for _, token in self.tokens[self.at :]]
        if closing not in rest:
            return f'<mo stretchy="false">{opening}</mo>'
        inner = self.row(closing)
        self.at += 1
        return f'<mrow><mo stretchy="false">{opening}</mo>{inner}<mo stretchy="false">{closing}</mo></mrow>'

    def _indexed(self, base: str) -> str:
        """The base with what is written above and below its line."""
        below, above = "", ""
        while self.at < len(self.tokens):
            token = self.tokens[self.at][1]
            if token in SUPERSCRIPTS:
                sign = SUPERSCRIPTS[token]
                above += f"<mn>{sign}</mn>" if sign.isdigit() else f"<mo>{sign}</mo>"
                self.at += 1
            elif token in SUBSCRIPTS:
                below += f"<mn>{SUBSCRIPTS[token]}</mn>"
                self.at += 1
            elif token in "*'" and self.tokens[self.at - 1][0] != "space":
                above += f"<mo>{'∗' if token == '*' else '′'}</mo>"
                self.at += 1
            elif token in "_^" and self.at + 1 < len(self.tokens):
                self.at += 1
                index = self._index()
                below, above = (below + index, above) if token == "_" else (below, above + index)
            else:
                break
        if below and above:
            return f"<msubsup>{base}<mrow>{below}</mrow><mrow>{above}</mrow></msubsup>"
        if below:
            return f"<msub>{base}<mrow>{below}</mrow></msub>"
        return f"<msup>{base}<mrow>{above}</mrow></msup>" if above else base

    def _index(self) -> str:
        """An index: a word, a symbol, or what stands in braces."""
        kind, token = self.tokens[self.at]
        self.at += 1
        if token == "{":
            before, self.flat = self.flat, True
            inner = self.row("}")
            self.flat = before
            self.at += 1
            return inner
        if kind == "word":
            return f"<mtext>{token}</mtext>" if len(token) > 2 else "".join(f"<mi>{one}</mi>" for one in token)
        if kind == "letter":
            return _letter(token)
        return f"<mn>{token}</mn>" if kind == "number" else f"<mo>{escape(token)}</mo>"


def _letter(token: str) -> str:
    """A letter with the marks above it."""
    base = f"<mi>{escape(token[0])}</mi>"
    for mark in token[1:]:
        base = f'<mover accent="true">{base}<mo stretchy="false">{ACCENTS.get(mark, mark)}</mo></mover>'
    return base


def _bare(items: list[str]) -> str:
    """What stands above or below a line needs no brackets around it."""
    opening, closing = '<mrow><mo stretchy="false">(</mo>', '<mo stretchy="false">)</mo></mrow>'
    whole = "".join(items)
    if len(items) == 1 and whole.startswith(opening) and whole.endswith(closing):
        return whole[len(opening) : -len(closing)]
    return f"<mrow>{whole}</mrow>"
