"""Ways to spoil nested data, texts and bytes, with decisions that may be left out one by one."""

from __future__ import annotations

import copy

ODD = [None, True, 0, -1, 1, 3, 1e-320, 1e-30, 1e-9, 0.5, 1e9, 1e30, 1e300, -1e300, float("nan"), float("inf"), 10**400]
ODD += [
    "",
    "t",
    "1/t",
    "exp(exp(t))",
    "box",
    "box.left",
    "x" * 3000,
    "\x00",
    "é\u2028",
    "../..",
    "auto",
    b"x",
    1j,
    {},
    [],
]
ODD += [
    [0, 0, 0],
    [1, 2],
    [[1]],
    [float("nan")] * 3,
    {"x": 1},
    {"box": [1, 1, 1]},
    {"formula": "1/t"},
    list(range(3000)),
]
TOKENS = [
    "{",
    "}",
    "[",
    "]",
    ":",
    "-",
    "&a ",
    "*a",
    "!!python/name:os.system ",
    "\t",
    "\x00",
    "1e400",
    ".nan",
    "'",
    '"',
    "#",
]
TIMES = [1e-300, 1e-12, 1e-6, 1e-3, 0.01, 0.1, 1.0, 1e3, 1e12, 1e300]


class Edits:
    """Decisions of a case that may be left out one by one: ``keep`` are those that are made."""

    def __init__(self, rng, most, keep):
        self.count = rng.choice((1, 1, 2, 3, most))
        self.keep = range(self.count) if keep is None else keep

    def __iter__(self):
        return iter(range(self.count))


def places(data, loc=()):
    if loc:
        yield loc
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from places(value, (*loc, key))


def edit_data(data, rng, made):
    """Spoil one place of nested data, if ``made``; the random numbers are drawn in any case."""
    loc = rng.choice(list(places(data)))
    what, value, factor = rng.randrange(8), rng.choice(ODD), rng.choice((0.0, -1.0, 1e-9, 0.5, 2.0, 1e6, 1e200))
    other = rng.choice(list(places(data)))
    if not made:
        return
    inside = data
    for key in loc[:-1]:
        inside = inside[key]
    here = inside[loc[-1]]
    if what == 0:
        del inside[loc[-1]]
    elif what == 1:
        source = data
        for key in other:
            source = source[key]
        inside[loc[-1]] = copy.deepcopy(source)
    elif what == 2 and isinstance(inside, dict):
        inside[f"{loc[-1]}2"] = copy.deepcopy(here)
    elif isinstance(here, int | float) and not isinstance(here, bool) and what < 7:
        inside[loc[-1]] = float(min(here, 1e308)) * factor
    else:
        inside[loc[-1]] = copy.deepcopy(value)


def edit_text(text, rng, made):
    i, j = rng.randrange(len(text) + 1), rng.choice((0, 1, 3, 30))
    token, copies = rng.choice(TOKENS), rng.choice((1, 1, 2, 40))
    return text[:i] + token * copies + text[i + j :] if made else text


def edit_bytes(content, rng, made):
    i, bit, what, size = (
        int(rng.random() * len(content)),
        1 << rng.randrange(8),
        rng.randrange(4),
        rng.choice((1, 8, 400)),
    )
    if not made:
        return content
    if what == 0:
        return content[:i]
    if what == 1:
        return content[:i] + content[i + size :]
    if what == 2:
        return content[:i] + bytes(size) + content[i + size :]
    return content[:i] + bytes([content[i] ^ bit]) + content[i + 1 :]
