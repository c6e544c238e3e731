"""Pages that are made when the site is built: gallery, scene file reference, tables of the solvers, architecture.

mkdocs calls ``on_files`` (a hook named in mkdocs.yml). Nothing that can be generated is stored.
"""

from __future__ import annotations

import ast
import contextlib
import io
import re
import shlex
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from latex2mathml.converter import convert
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch
from mkdocs.structure.files import File, Files

sys.path.insert(0, str(Path(__file__).parent))  # hooks are no package
from mathematics import typeset

from towsim.pictures.slider import Slider

ROOT = Path(__file__).parent.parent
MOST_STEPS = 4000
"""Steps of a picture's run: longer ones take larger steps of the same method."""

PUBLIC = {
    "towsim": ("Running scenes and reading results.", ["towsim.run.simulate",
               "towsim.run.simulate_many", "towsim.run.compile", "towsim.run.Model",
               "towsim.scene.Parameters", "towsim.run.resume", "towsim.run.Simulation", "towsim.run.Batch",
               "towsim.run.step_problem", "towsim.results.open_result", "towsim.results.Result",
               "towsim.results.Labelled", "towsim.results.Events", "towsim.results.Event", "towsim.results.Summary",
               "towsim.errors"]),
    "scene": ("What a scene declares; see also [scene files](../scene.md).", ["towsim.scene"]),
    "control": ("Controllers of your own; see also [vehicles and controllers](../controllers.md).",
                ["towsim.control.task.Control", "towsim.control.task.Function", "towsim.control.seen.Measured",
                 "towsim.control.plant.Plant", "towsim.control.plant.plant"]),
    "sweep": ("Sweeps, and the learning environment.", ["towsim.sweep.sweep", "towsim.sweep.make_plan",
              "towsim.sweep.metrics", "towsim.rl.carry.CarryEnv", "towsim.rl.carry.CarryVectorEnv"]),
    "fitting": ("Identify and plan; see also [derivatives](../derivatives.md).", ["towsim.fitting.identify",
                "towsim.fitting.Identification", "towsim.fitting.Log", "towsim.fitting.read_log",
                "towsim.fitting.plan", "towsim.fitting.Plan", "towsim.run.sensitivities.Sensitivities"]),
    "analysis": ("What a result means.", ["towsim.analysis.jerks", "towsim.analysis.uniqueness",
                 "towsim.analysis.landings", "towsim.analysis.step_problems", "towsim.analysis.replay.replay"]),
    "pictures": ("How a result looks: figures, and the 3-D page.", ["towsim.pictures", "towsim.pictures.slider"]),
    "statics": ("How a scene hangs and rings; see also [the page about it](../statics.md).", ["towsim.statics"]),
    "cdpr": ("Cable robots before anything moves; see also [cable robots](../cable-robots.md).", ["towsim.cdpr"]),
    "solvers": ("Complementarity problems, apart from the simulator.", ["solvers"]),
    "scenarios": ("Named scenes, and tasks for `towsim.plan`.", ["scenarios", "scenarios.planning"]),
}  # fmt: skip


def on_files(files: Files, config: Any) -> Files:
    """Add the generated pages."""
    pages = (("scene.md", _scene()), ("architecture.md", _architecture()))
    for name, content in (*_gallery(), *_figures(), *_notebooks(), *_api(), *pages, ("families.png", _benched()[1])):
        files.append(File.generated(config, name, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Fill the tables that stand in pages as ``{{ name }}``, and typeset formulas."""
    tables = {"methods": _methods, "solvers": _solvers, "variables": _variables, "options": _options}
    tables["bench"] = lambda: _benched()[0]
    filled = re.sub(r"{{ (\w+) }}", lambda found: tables[found[1]](), markdown)
    return typeset(filled) if page.file.src_uri.startswith(("theory/", "index", "concepts", "solvers")) else filled


FILM = "quadcopters-carry-box"
"""The scenario that moves on the first page."""


def _gallery() -> Iterator[tuple[str, str | bytes]]:
    """A page with each scenario under its topic: a picture, its parameters, its scene; the pictures; and a film."""
    import scenarios
    import towsim
    from towsim.pictures.page3d import page
    from towsim.scene import scene_to_text
    from towsim.scene.control_checks import controlled

    lines = [
        "# Gallery",
        "",
        "Every scenario that comes with towsim, by topic. The pictures were drawn when this page was made, long runs",
        "in larger steps than `towsim run NAME` takes, which also holds each run against the laws that it has to obey.",
        "A click on a picture opens the run in 3-D.",
        "The scene below a picture is what `towsim info NAME` prints: save it, change it, and it is yours.",
        "",
    ]
    found = [scenarios.get(name) for name in scenarios.names()]
    topics = dict.fromkeys((*scenarios.TOPICS, *(one.topic for one in found)))
    for one in sorted(found, key=lambda one: list(topics).index(one.topic)):
        if topics[one.topic] is None:
            topics[one.topic] = one.topic
            lines += [f"## {one.topic}", ""]
        options = {**one.defaults, "on_failure": "record"}
        scene = one.build()
        if not controlled(scene):  # whose samples would have to fit the larger step
            options["step"] = max(options["step"], options["duration"] / MOST_STEPS)
        result = towsim.simulate(scene, **options)
        figure = towsim.plot(result, [what for what in ("tension", "path") if what == "path" or "tension" in result])
        picture = io.BytesIO()
        figure.savefig(picture, dpi=70, format="png")
        yield f"gallery/{one.name}.png", picture.getvalue()
        if one.name == FILM:
            yield "film.webp", _film(result)
        shown = f"![{one.name}](gallery/{one.name}.png)"
        with contextlib.suppress(towsim.UsageError):  # installed without its 3-D page
            yield f"gallery/{one.name}.html", page(result)
            shown = f"[{shown}](gallery/{one.name}.html)\n\n[See it move](gallery/{one.name}.html)"
        about = one.doc.split("\n\n")[0].replace("\n", " ").replace("``", "`")
        lines += [f"### {one.name}", "", one.summary, "", shown, ""]
        lines += (
            [about, "", f"`towsim run {one.name}`", ""] if about != one.summary else [f"`towsim run {one.name}`", ""]
        )
        if one.parameters:
            rows = (f"| `{p.name}` | `{p.default}` | {p.doc} |" for p in one.parameters.values())
            lines += ["| parameter | default | |", "|---|---|---|", *rows, ""]
        text = "\n".join(f"    {line}" for line in scene_to_text(scene).rstrip().split("\n"))
        lines += [f'??? note "The scene: {len(text.splitlines())} lines"', "", "    ```yaml", text, "    ```", ""]
    yield "gallery.md", "\n".join(lines)


def _film(result: Any) -> bytes:
    """A run as a film, five times as fast as life, by the renderer of the 3-D page if there is a browser."""
    from towsim.pictures.animate import animate

    with TemporaryDirectory() as folder:
        return animate(result, Path(folder) / "film.webp", fps=6, speed=5.0, size=(480, 360)).read_bytes()


def _figures() -> Iterator[tuple[str, str]]:
    """Drawings of the pages."""
    drawings = (
        ("theory/stability", _stability, (5.0, 3.0)),
        ("theory/element", _element, (6.0, 1.5)),
        ("concepts", _concepts, (9.0, 3.4)),
    )
    for name, draw, size in drawings:
        figure = Figure(figsize=size, layout="constrained")
        draw(figure.add_subplot())
        picture = io.StringIO()
        figure.savefig(picture, format="svg")
        yield f"{name}.svg", picture.getvalue()


def _stability(axes: Axes) -> None:
    """Boundaries of BDF-p: y' = λ y is unstable inside."""
    step = 1.0 - np.exp(-1j * np.linspace(0.0, np.pi, 400))
    for order in (1, 2, 3, 4):
        z = sum(step**j / j for j in range(1, order + 1))
        axes.plot(z.real, z.imag, label=f"bdf{order}")
    axes.axvline(0.0, color="0.6", lw=0.8)
    axes.set(xlim=(-1.0, 2.0), ylim=(0.0, 5.0), xlabel="Re hλ: damping to the left", ylabel="Im hλ")
    axes.legend(loc="upper right", title="unstable inside")


def _element(axes: Axes) -> None:
    """Two MRFE elements: universal joints o, prismatic joints as springs."""
    for x in (0.0, 2.4):
        axes.plot([x, x + 1.0], [0, 0], "k", lw=3)
        axes.plot([x + 1.4, x + 2.4], [0, 0], "k", lw=3)
        axes.plot(x + 1.0 + 0.4 * np.linspace(0, 1, 9), [0, 0, 0.1, -0.1, 0.1, -0.1, 0.1, 0, 0], "k", lw=1)
        axes.plot(x, 0, "o", color="w", mec="k", ms=12, zorder=3)
        for at, label in ((0.5, "link, l"), (1.2, "prismatic, s"), (1.9, "link, l")):
            axes.text(x + at, 0.2, label, ha="center")
        axes.text(x, -0.35, "universal", ha="center")
    axes.plot(4.8, 0, "ks", ms=8)
    axes.text(4.8, -0.35, "tip", ha="center")
    axes.set(xlim=(-0.4, 5.1), ylim=(-0.5, 0.4))
    axes.axis("off")


def _concepts(axes: Axes) -> None:
    """From a scene to a result."""
    boxes = (
        (0.0, 1.1, "scene", "what there is:\nbodies, wires, robots,\nground, controllers", "#e8f1f8"),
        (3.1, 2.2, "structure", "names, laws, layout of rows:\ncompiled once", "#eef6ee"),
        (3.1, 0.0, "numbers", "masses, lengths, poses:\nfree from run to run", "#eef6ee"),
        (6.2, 1.1, "step", "free motion, then\n0 ≤ gap ⊥ impulse ≥ 0,\nthen advance by h", "#fdf1e4"),
        (9.3, 1.1, "result", "variables, events,\nsummary, provenance:\none file", "#f3ecf7"),
    )
    for x, y, title, text, colour in boxes:
        axes.add_patch(FancyBboxPatch((x, y), 2.3, 1.5, boxstyle="round,pad=0.05", facecolor=colour, edgecolor="0.4"))
        axes.text(x + 1.15, y + 1.22, title, ha="center", va="center", fontsize=12, fontweight="bold")
        axes.text(x + 1.15, y + 0.52, text, ha="center", va="center", fontsize=8.5)
    arrow = {"arrowstyle": "-|>", "color": "0.3", "shrinkA": 0, "shrinkB": 0}
    for start, end in (
        ((2.38, 2.1), (3.02, 2.8)),
        ((2.38, 1.6), (3.02, 0.9)),
        ((5.48, 2.8), (6.12, 2.1)),
        ((5.48, 0.9), (6.12, 1.6)),
        ((8.58, 1.85), (9.22, 1.85)),
    ):
        axes.annotate("", end, start, arrowprops=arrow)
    axes.annotate("", (6.7, 2.72), (8.0, 2.72), arrowprops={**arrow, "connectionstyle": "arc3,rad=0.6"})
    axes.text(7.35, 3.3, "thousands of times a second", ha="center", fontsize=8.5, color="0.3")
    axes.set(xlim=(-0.2, 11.8), ylim=(-0.2, 3.9), aspect="equal")
    axes.axis("off")


NOTEBOOKS = (
    *("first_tow", "slack_and_jerk", "robot_from_csv", "cdpr44", "cable_robot", "formulations", "plan_a_tow"),
    *("lcp_geometry", "w_uniqueness", "friction_two_answers", "infeasible_pulls", "solver_comparison"),
)
"""In the order of the menu. Of cells with the tag "live" only the code is shown."""


def _notebooks() -> Iterator[tuple[str, str | bytes]]:
    """Notebooks as pages, with what their cells print and draw."""
    for name in NOTEBOOKS:
        cells = re.split(r"^# %%(.*)\n", (ROOT / "notebooks" / f"{name}.py").read_text(), flags=re.MULTILINE)
        lines, space, pictures = [], {"__name__": name}, 0
        with TemporaryDirectory() as folder, contextlib.chdir(folder):
            for kind, text in zip(cells[1::2], cells[2::2], strict=True):
                if "markdown" in kind:
                    lines += [_from_tex(re.sub(r"^# ?", "", text, flags=re.MULTILINE).strip()), ""]
                    continue
                code = "\n".join(line for line in text.strip().split("\n") if not line.startswith("# %"))
                lines += ["```python", code, "```", ""]
                live = '"live"' in kind
                if live:
                    lines += ["*In the notebook sliders stand here, which draw anew as they are moved.*", ""]
                for shown in _executed(code, space) if not live or find_spec("ipywidgets") else ():
                    if live:
                        continue
                    if isinstance(shown, Slider):
                        lines += [shown.html(), ""]
                        continue
                    if isinstance(shown, str):
                        lines += ["```text", shown.rstrip(), "```", ""]
                        continue
                    pictures += 1
                    picture = io.BytesIO()
                    shown.savefig(picture, dpi=70, format="png")
                    yield f"notebooks/{name}-{pictures}.png", picture.getvalue()
                    lines += [f"![]({name}-{pictures}.png)", ""]
        lines += [f"*This page is the notebook `notebooks/{name}.py`, run when the site was made.*", ""]
        yield f"notebooks/{name}.md", "\n".join(lines)


def _from_tex(markdown: str) -> str:
    """Formulas between dollars as MathML, in spans: Markdown takes ``math`` at the start of a line for a block."""
    alone = r'<span class="formula">{}</span>'  # moves by itself where it is wider than the page
    for pattern, kind, place in ((r"\$\$(.+?)\$\$", "block", alone), (r"\$(.+?)\$", "inline", "<span>{}</span>")):

        def typeset_one(found: re.Match[str], kind: str = kind, place: str = place) -> str:
            return place.format(convert(found[1], display=kind))

        markdown = re.sub(pattern, typeset_one, markdown, flags=re.DOTALL)
    return markdown


def _executed(code: str, space: dict[str, Any]) -> Iterator[str | Figure | Slider]:
    """What a cell prints, and the value of its last line, as a notebook shows them."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, "cell", "exec"), space)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), space) if last is not None else None
    if printed.getvalue():
        yield printed.getvalue()
    if isinstance(value, (Figure, Slider)):
        yield value
    elif value is not None:
        yield repr(value)


def _api() -> Iterator[tuple[str, str]]:
    for name, (text, parts) in PUBLIC.items():
        named = {part: "\n    options: {show_root_full_path: true}" for part in parts if part.endswith(f".{name}")}
        yield (
            f"api/{name}.md",
            "\n\n".join([f"# {name}", text, *(f"::: {part}{named.get(part, '')}" for part in parts)]),
        )


def _scene() -> str:
    """Keys of a scene file, from its JSON schema, with an example of each part."""
    from towsim.scene.schema import json_schema

    schema = json_schema()
    examples = _examples(schema)
    lines = [
        "# Scene files",
        "",
        "A scene is one YAML file in SI units; formulas know `t`, `pi`, the usual functions and conditionals, and are",
        "parsed, never executed. `towsim new NAME` writes one with comments, and `towsim info FILE.yaml` checks one.",
        "Numbers that several formulas share get names, `parameters: {amp: 0.3}`: `x: amp*sin(2*t)`; and",
        "`--set parameters.amp=0.4` changes them all.",
        "`towsim info --schema` prints the JSON schema from which this page is made, for completion in editors.",
        "A number without a unit is a pure number; `none` is the default of what is not there unless it is written.",
        "",
        "```yaml",
        (ROOT / "examples" / "lift.yaml").read_text().strip(),
        "```",
        "",
        "## The file",
        "",
        *_rows(schema, schema["$defs"]),
    ]
    for name, part in sorted(schema["$defs"].items()):
        if not name.startswith("_"):
            text = part.get("description", "").replace("``", "`")
            shown = ["Example:", "", "```yaml", examples[name], "```", ""] if name in examples else []
            lines += ["", f"## {name}", "", text, "", *shown, *_rows(part, schema["$defs"])]
    return "\n".join(lines)


TELLING = 110
"""Characters of an example that shows more than the least, and is read at a glance."""


def _examples(schema: Mapping[str, Any]) -> dict[str, str]:
    """An example of each part of a scene, from the scenarios, the example files and the pages."""
    import scenarios
    from towsim.scene import load_scene, scene_from_text
    from towsim.scene.data import to_data
    from towsim.scene.emit import emit

    scenes = [scenarios.get(name).build() for name in scenarios.names()]
    scenes += [load_scene(file) for file in sorted((ROOT / "examples").glob("*.yaml"))]
    text = (ROOT / "docs" / "site" / "modelling.md").read_text()
    shown = re.findall(r'^(?:```yaml|[^\n]*scene_from_text\(""")\n(.*?)^(?:```|""")', text, re.DOTALL | re.MULTILINE)
    scenes += map(scene_from_text, shown)
    found: dict[str, str] = {}
    for scene in scenes:
        for name, data in _parts(schema, to_data(scene), schema["$defs"]):
            text = emit({"": data}).strip().removeprefix('"":').strip()
            if "\n" not in text and abs(len(text) - TELLING) < abs(len(found.get(name, "x" * 400)) - TELLING):
                found[name] = text
    return found


def _parts(part: Mapping[str, Any], data: Any, defs: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What stands in a scene for each definition of the schema."""
    if "$ref" in part:
        name = part["$ref"].rsplit("/", 1)[1]
        known = defs[name].get("properties", {})
        fixed = {key: one["const"] for key, one in known.items() if "const" in one}
        if isinstance(data, dict) and set(data) <= set(known) and fixed.items() <= (fixed | data).items():
            yield name, data
            yield from _parts(defs[name], data, defs)
        return
    for way in part.get("anyOf", ()):
        yield from _parts(way, data, defs)
    if isinstance(data, dict):
        for key, value in data.items():
            inside = part.get("properties", {}).get(key, part.get("additionalProperties"))
            if isinstance(inside, dict):
                yield from _parts(inside, value, defs)
    elif isinstance(data, list) and isinstance(part.get("items"), dict):
        for value in data:
            yield from _parts(part["items"], value, defs)


def _rows(schema: Mapping[str, Any], defs: Mapping[str, Any]) -> list[str]:
    rows = ['<div class="keys" markdown>', "", "| key | value | unit | default | |", "|---|---|---|---|---|"]
    for key, part in schema["properties"].items():
        default = "**required**" if key in schema.get("required", ()) else f"`{part.get('default')}`"
        if part.get("default", 0) in (None, ""):
            default = "none"
        elif len(default) > 40:
            default = "that of each key there"
        ways = [*part.get("anyOf", ()), part]  # the ways to write it tell their units
        meant = [defs[one["$ref"].rsplit("/", 1)[1]] for one in ways if "$ref" in one]
        about = next((one["description"] for one in (*ways, *meant) if "description" in one), "")
        about = about.split("\n")[0].replace("``", "`").replace("|", "\\|")
        unit = re.search(r" *\[([^\]]+)\]$", about)
        about = about[: unit.start()] if unit else about
        if unit is None and about.startswith(f"{key} component"):  # of a force, a velocity, a place
            unit = re.search(r"\[([^\]]+)\]", schema["description"])
        rows.append(f"| `{key}` | {_kind(part)} | {unit[1] if unit else ''} | {default} | {about} |")
    return [*rows, "", "</div>"]


def _kind(part: Mapping[str, Any]) -> str:
    """A type in words."""
    if "$ref" in part:
        name = part["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name.lower()})" if not name.startswith("_") else "mapping"
    if "anyOf" in part:
        kinds = dict.fromkeys(_kind(one) for one in part["anyOf"] if one.get("type") != "null")
        return " or ".join(kinds)
    if "enum" in part:
        return ", ".join(f"`{value}`" for value in part["enum"])
    if "const" in part:
        return f"`{part['const']}`"
    match part.get("type"):
        case "array":
            count, items = part.get("minItems"), part.get("items", {})
            if items.get("type") == "array":
                return f"{count} × {_kind(items)}" if count else f"list of {_kind(items)}"
            plural = {"number": "numbers", "text": "texts", "mapping": "mappings", "whole number": "whole numbers"}
            inner = plural.get(_kind(items), _kind(items))
            return f"{count} {inner}" if count and count == part.get("maxItems") else f"list of {inner}"
        case "object" if isinstance(part.get("additionalProperties"), dict):
            return f"name: {_kind(part['additionalProperties'])}"
        case "object":
            return "mapping"
        case "string":
            return "text"
        case "boolean":
            return "true or false"
        case "integer":
            return "whole number"
        case other:
            return str(other or "anything")


def _methods() -> str:
    from towsim.methods.method import METHODS

    rows = ["| method | order | friction | mrfe cables |", "|---|---|---|---|"]
    for one in METHODS.values():
        order = "adaptive" if one.adaptive else str(one.order)
        rows.append(f"| `{one.name}` | {order} | {_yes(one.friction)} | {_yes(one.cables)} |")
    return "\n".join(rows)


def _solvers() -> str:
    from solvers.backends.registry import BUILT_IN

    rows = ["| solver | | M symmetric | warm start | sparse |", "|---|---|---|---|---|"]
    for name, one in BUILT_IN.items():
        needs = "needed" if one.needs_psd else "not needed"
        rows.append(f"| `{name}` | {one.summary} | {needs} | {_yes(one.warm_start)} | {_yes(one.sparse)} |")
    return "\n".join(rows)


def _options() -> str:
    from towsim.run.options import declared, default_of

    rows = ["| option | is | unit | default |", "|---|---|---|---|"]
    for name, (_, option) in declared().items():
        rows.append(f"| `{name}` | {option.help} | {option.unit} | {default_of(option)} |")
    return "\n".join(rows)


@cache
def _benched() -> tuple[str, bytes]:
    """Table and picture that the command on the page of the solvers writes."""
    from towsim.cli import main

    page = (ROOT / "docs" / "site" / "solvers.md").read_text()
    command = re.search(r"^towsim (bench .*?families\.png)$", page, flags=re.MULTILINE | re.DOTALL)
    assert command is not None
    with TemporaryDirectory() as folder, contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        Path("examples").symlink_to(ROOT / "examples")
        assert main(shlex.split(command[1].replace("\\\n", " "))) == 0
        return Path("families.md").read_text(), Path("families.png").read_bytes()


def _variables() -> str:
    from towsim.results import VARIABLES

    rows = ["| variable | dimensions | unit | |", "|---|---|---|---|"]
    for one in VARIABLES.values():
        values = f": {', '.join(f'{value} {name}' for name, value in one.flags.items())}" if one.flags else ""
        rows.append(f"| `{one.name}` | {', '.join(one.dims)} | {one.unit} | {one.description}{values} |")
    return "\n".join(rows)


def _yes(value: bool) -> str:
    return "yes" if value else "–"


def _architecture() -> str:
    """The architecture page as it lies in the repository: its tables of code are indented there."""
    text = (ROOT / "docs" / "architecture.md").read_text()
    return re.sub(r"\]\((?!http|#)([^)]*)\)", "]", text)
