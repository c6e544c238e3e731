"""Pages that are made when the site is built: gallery, scene file reference, tables of the solvers, architecture.

mkdocs calls ``on_files`` (a hook named in mkdocs.yml). Nothing that can be generated is stored.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent.parent
MOST_STEPS = 4000
"""Steps of a picture's run: longer ones take larger steps of the same method."""

PUBLIC = {
    "towsim": ("Running scenes and reading results.", ["towsim.run.simulate",
               "towsim.run.simulate_many", "towsim.run.compile", "towsim.run.Model",
               "towsim.scene.Parameters", "towsim.run.resume", "towsim.run.Simulation",
               "towsim.run.step_problem", "towsim.results.open_result", "towsim.results.Result",
               "towsim.results.Labelled", "towsim.results.Events", "towsim.results.Event", "towsim.results.Summary",
               "towsim.view.plot", "towsim.errors"]),
    "scene": ("What a scene declares; see also [scene files](../scene.md).", ["towsim.scene"]),
    "control": ("Controllers of your own; see also [vehicles and controllers](../controllers.md).",
                ["towsim.control.task.Control", "towsim.control.task.Function", "towsim.control.seen.Measured",
                 "towsim.control.plant.Plant", "towsim.control.plant.plant"]),
    "sweep": ("Sweeps, and the learning environment.", ["towsim.sweep.sweep", "towsim.sweep.make_plan",
              "towsim.sweep.metrics", "towsim.rl.carry.CarryEnv"]),
    "fitting": ("Identify and plan; see also [derivatives](../derivatives.md).", ["towsim.fitting.identify",
                "towsim.fitting.Identification", "towsim.fitting.Log", "towsim.fitting.read_log",
                "towsim.fitting.plan", "towsim.fitting.Plan", "towsim.run.sensitivities.Sensitivities"]),
    "analysis": ("What a result means.", ["towsim.analysis.jerks", "towsim.analysis.uniqueness",
                 "towsim.analysis.landings", "towsim.analysis.step_problems", "towsim.analysis.replay.replay"]),
    "cdpr": ("Cable robots before anything moves; see also [cable robots](../cable-robots.md).", ["towsim.cdpr"]),
    "solvers": ("Complementarity problems, apart from the simulator.", ["solvers"]),
    "scenarios": ("Named scenes.", ["scenarios"]),
}  # fmt: skip


def on_files(files: Files, config: Any) -> Files:
    """Add the generated pages."""
    pages = (("scene.md", _scene()), ("architecture.md", _architecture()))
    for name, content in (*_gallery(), *_figures(), *_api(), *pages):
        files.append(File.generated(config, name, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Fill the tables that stand in pages as ``{{ name }}``."""
    tables = {"methods": _methods, "solvers": _solvers, "variables": _variables}
    return re.sub(r"{{ (\w+) }}", lambda found: tables[found[1]](), markdown)


def _gallery() -> Iterator[tuple[str, str | bytes]]:
    """A page with a picture of each scenario, and the pictures."""
    import scenarios
    import towsim
    from towsim.scene.control_checks import controlled

    lines = [
        "# Gallery",
        "",
        "Every scenario, run when this page was made, long ones in larger steps than `towsim run NAME` takes.",
        "",
    ]
    for name in scenarios.names():
        one = scenarios.get(name)
        options = {**one.defaults, "on_failure": "record"}
        scene = one.build()
        if not controlled(scene):  # whose samples would have to fit the larger step
            options["step"] = max(options["step"], options["duration"] / MOST_STEPS)
        result = towsim.simulate(scene, **options)
        figure = towsim.plot(result, [what for what in ("tension", "path") if what == "path" or "tension" in result])
        picture = io.BytesIO()
        figure.savefig(picture, dpi=60, format="png")
        yield f"gallery/{name}.png", picture.getvalue()
        lines += [f"## {name}", "", one.summary, "", f"![{name}](gallery/{name}.png)", ""]
        if one.parameters:
            rows = (f"| `{p.name}` | `{p.default}` | {p.doc} |" for p in one.parameters.values())
            lines += ["| parameter | default | |", "|---|---|---|", *rows, ""]
    yield "gallery.md", "\n".join(lines)


def _figures() -> Iterator[tuple[str, str]]:
    """Drawings of the theory pages."""
    for name, draw, size in (("stability", _stability, (5.0, 3.0)), ("element", _element, (6.0, 1.5))):
        figure = Figure(figsize=size, layout="constrained")
        draw(figure.add_subplot())
        picture = io.StringIO()
        figure.savefig(picture, format="svg")
        yield f"theory/{name}.svg", picture.getvalue()


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


def _api() -> Iterator[tuple[str, str]]:
    for name, (text, parts) in PUBLIC.items():
        yield f"api/{name}.md", "\n\n".join([f"# {name}", text, *(f"::: {part}" for part in parts)])


def _scene() -> str:
    """Keys of a scene file, from its JSON schema."""
    from towsim.scene.schema import json_schema

    schema = json_schema()
    lines = [
        "# Scene files",
        "",
        "A scene is one YAML file in SI units; formulas know `t`, `pi`, the usual functions and conditionals, and",
        "are parsed, never executed. `towsim info --schema` prints the JSON schema from which this page is made;",
        "`towsim info FILE.yaml` checks a file.",
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
            lines += ["", f"## {name}", "", text, "", *_rows(part, schema["$defs"])]
    return "\n".join(lines)


def _rows(schema: Mapping[str, Any], defs: Mapping[str, Any]) -> list[str]:
    rows = ["| key | value | default | |", "|---|---|---|---|"]
    for key, part in schema["properties"].items():
        default = "**required**" if key in schema.get("required", ()) else f"`{part.get('default')}`"
        if part.get("default", 0) in (None, "") or len(default) > 40:
            default = ""
        ways = [*part.get("anyOf", ()), part]  # the ways to write it tell their units
        meant = [defs[one["$ref"].rsplit("/", 1)[1]] for one in ways if "$ref" in one]
        about = next((one["description"] for one in (*ways, *meant) if "description" in one), "")
        about = about.split("\n")[0].replace("``", "`").replace("|", "\\|")
        rows.append(f"| `{key}` | {_kind(part)} | {default} | {about} |")
    return rows


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
