"""Sliders of drawn frames are self-contained and do what they show; the drawings of the lecture tell the truth."""

import base64
import json
import re
import shutil
import subprocess

import numpy as np
import pytest

import solvers
from towsim.errors import UsageError
from towsim.pictures.cones import cones, draw_cones
from towsim.pictures.figures import swift_figure
from towsim.pictures.polytope import plot_polytope
from towsim.pictures.slider import Slider, explore
from towsim.pictures.velocities import allowed, draw_velocities

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def grey(level):
    """A small figure, all of one shade."""
    figure = swift_figure(1.0, 1.0)
    figure.set_facecolor((level, level, level))
    return figure


def shades(slider):
    """Of the first area that each frame fills, its background."""
    return [int(re.search(rb"fill: #(..)", frame)[1], 16) / 255 for frame in slider.frames]


def test_a_page_holds_all_frames_in_their_order_and_needs_nothing_else():
    slider = Slider(grey, [0.2, 0.4, 1.0], label="shade <b>", start=0.4)
    assert shades(slider) == pytest.approx([0.2, 0.4, 1.0], abs=1 / 255)
    html = slider.html()
    frames = json.loads(re.search(r"frames = (\[.*?\])", html)[1])
    assert [base64.b64decode(frame) for frame in frames] == slider.frames
    assert json.loads(re.search(r"values = (\[.*?\]);", html)[1]) == ["0.2", "0.4", "1"]
    assert f'src="data:image/svg+xml;base64,{frames[1]}"' in html  # without a script, the first picture is there
    assert "<b>" not in html
    assert "http" not in html.replace("data:image", "")
    assert html.split('id="')[1] != slider.html().split('id="')[1]  # two of them on one page


@pytest.mark.skipif(BROWSER is None, reason="no browser here")
def test_moving_the_slider_shows_its_frame(tmp_path):
    slider = Slider(grey, [0.2, 0.5, 1.0], label="shade")
    page = slider.save(tmp_path / "page.html")
    move = (
        "<script>const range = document.querySelector('input'); range.value = 2;"
        "range.dispatchEvent(new Event('input'));</script>"
    )
    page.write_text(page.read_text().replace("</body>", f"{move}</body>"))
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", page.as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    picture = re.search(r'src="data:image/svg\+xml;base64,([^"]*)"', shown)[1]
    assert base64.b64decode(picture) == slider.frames[2]
    assert "<output>1</output>" in shown


def test_what_cannot_slide_is_refused():
    with pytest.raises(UsageError, match="at least one value"):
        Slider(grey, [], label="x")
    with pytest.raises(UsageError, match="one of its values, got 3"):
        Slider(grey, [1, 2], label="x", start=3)


def test_live_sliders_draw_anew_what_they_are_moved_to():
    pytest.importorskip("ipywidgets")
    drawn = []

    def draw(count, level):
        drawn.append((count, level))
        return grey(level)

    shown, count, level = explore(draw, count=(1, 9, 1, 2), level=(0.0, 1.0, 0.5, 0.5)).children
    before = shown.value
    count.value, level.value = 3, 1.0
    assert drawn == [(2, 0.5), (3, 0.5), (3, 1.0)]
    assert shown.value != before
    assert isinstance(drawn[0][0], int)


@pytest.mark.parametrize(("table", "covered"), [([[1, 0.5], [0.5, 1]], 360.0), ([[1, -1], [-1, 1]], 180.0)])
def test_cones_of_a_p_matrix_fill_the_plane_and_those_of_opposed_wires_half_of_it(table, covered):
    """Openings in degrees; of opposed wires the cone of both is a line, without an inside."""
    openings = []
    for C in cones(np.array(table)).values():
        cosine = C[:, 0] @ C[:, 1] / np.prod(np.hypot(*C))
        openings.append(np.degrees(np.arccos(cosine)) if cosine > -1 + 1e-9 else 0.0)
    assert sum(openings) == pytest.approx(covered)
    axes = swift_figure(3, 3).add_subplot()
    draw_cones(axes, np.array(table), q=np.array([-1.0, 0.5]))
    assert [text.get_text() for text in axes.texts][2:] == ["both slack", "2 pulls", "1 pulls", "both pull"]


def test_a_column_of_zeros_makes_a_cone_without_an_inside():
    """A slider passes such matrices. Of the four cones, two have the column: a half-line each."""
    axes = swift_figure(3, 3).add_subplot()
    draw_cones(axes, np.array([[0.0, 1.0], [0.0, 1.0]]))
    lines = [line.get_xydata() for line in axes.lines[2:]]
    assert len(axes.patches) == 2 * 2  # each with its edge
    np.testing.assert_allclose([np.hypot(*(line[0] + line[2])) for line in lines], [2.0 * 0.70, 2.0 * 0.57])
    assert all(np.shape(text.get_position()) == (2,) for text in axes.texts)


def wires(east):
    azimuth = np.radians([0.0, 120.0, 240.0])
    d = np.array([np.cos(azimuth), np.sin(azimuth)])
    return solvers.LCP.from_wires(np.ones(2), d, [-0.1, 0.15], [-east, 0.25, 0.25], names=["e", "n", "s"])


def test_the_velocity_after_a_step_is_the_allowed_one_nearest_to_the_free_one():
    problem = wires(0.2)
    polygon = allowed(problem.wires.G, problem.wires.bias, 2.0)
    assert sorted(polygon[:, 0]) == pytest.approx([0.2, 0.2, 0.5])  # a triangle with its tip at 0.5 m/s
    v = solvers.solve(problem).v
    edges = zip(polygon, np.roll(polygon, -1, axis=0), strict=True)
    points = np.array([a + t * (b - a) for a, b in edges for t in np.linspace(0.0, 1.0, 201)])
    away = np.hypot(*(points - problem.wires.v_free).T)
    assert np.hypot(*(v - problem.wires.v_free)) <= away.min() + 1e-12
    assert np.hypot(*(v - problem.wires.v_free)) == pytest.approx(away.min(), abs=1e-3)
    assert allowed(wires(0.6).wires.G, wires(0.6).wires.bias, 2.0).size == 0  # and there the step is refused
    assert solvers.solve(wires(0.6)).status == "infeasible"


def test_blamed_wires_are_drawn_in_another_colour():
    colours = []
    for problem in (wires(0.2), wires(0.6)):
        axes = swift_figure(3, 3).add_subplot()
        draw_velocities(axes, problem, solvers.solve(problem))
        colours.append({text.get_color() for text in axes.texts if text.get_text() in problem.names})
    good, blamed = colours
    assert good
    assert good.isdisjoint(blamed)
    with pytest.raises(UsageError, match="a point in a plane"):
        draw_velocities(axes, solvers.LCP([[1.0]], [1.0]), solvers.solve([[1.0]], [1.0]))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_ranges_of_tensions_are_drawn_from_the_corners(n):
    problem = solvers.LCP.from_wires([0.5], np.ones((1, n)), [-3.0e-3], np.zeros(n))  # 6 N in steps of a millisecond
    figure = plot_polytope(solvers.polytope(problem, solvers.solve(problem)), step=1e-3)
    left, right = figure.axes
    bars = [(x0, x1) for (x0, _), (x1, _) in right.collections[0].get_segments()]
    assert bars == [pytest.approx((6.0 if n == 1 else 0.0, 6.0))] * n
    assert f"dimension {n - 1}" in left.get_title(loc="left")
