"""The 3-D page: complete in itself, true to the result, and alive in a real browser."""

import base64
import contextlib
import gzip
import html
import io
import json
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from scenarios import get
from towsim import ResultError, Scene, UsageError, simulate, view
from towsim.pictures.happenings import happenings
from towsim.pictures.packing import Pack, unpack
from towsim.pictures.page3d import PARTS, page, write_page
from towsim.pictures.stage import absences
from towsim.results import Event, Events, Result
from towsim.results.events import KINDS
from towsim.scene import scene_from_text

BUNDLE = PARTS / "bundle.js"
pytestmark = pytest.mark.skipif(not BUNDLE.is_file(), reason="towsim was installed without its 3-D page")

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking")


@pytest.fixture(scope="module")
def tow() -> Result:
    return simulate(get("four-robots-box").build(), duration=6.0)


def stored(text: str, name: str) -> bytes:
    found = re.search(rf'id="{name}">([^<]*)<', text)
    assert found
    return found[1].encode()


def head(text: str) -> dict[str, Any]:
    return json.loads(stored(text, "head"))  # type: ignore[no-any-return]


def numbers(text: str, run: int = 0) -> dict[str, np.ndarray]:
    data = gzip.decompress(base64.b64decode(stored(text, "numbers")))
    arrays = head(text)["arrays"]
    return {name.split(".", 1)[1]: unpack(one, data) for name, one in arrays.items() if name.startswith(f"{run}.")}


def test_six_seconds_at_100_frames_a_second_stay_below_300_kilobytes(tow: Result) -> None:
    text = page(tow)
    assert len(numbers(text)["time"]) == 601
    assert len(text.encode()) < 300_000  # 220 kB of these are the viewer


def test_the_page_asks_for_nothing_outside_itself(tow: Result) -> None:
    text = page(tow)
    assert not re.findall(r'(?:src|href)\s*=\s*"(?!data:,")', text)
    assert "{{" not in text.replace("${{", "")
    bundle = gzip.decompress(base64.b64decode(stored(text, "bundle"))).decode()
    assert not re.findall(r"\b(fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts|import)\b\W", bundle)


def test_the_library_is_shaken_down_and_keeps_its_licence(tow: Result) -> None:
    assert len(stored(page(tow), "bundle")) < 250_000  # what the library offers, not what is used of it: 268 kB
    notice = BUNDLE.read_text("utf-8")[:2000]
    assert "The MIT License" in notice
    assert re.search(r"Copyright © .* three\.js authors", notice)


def test_frames_hold_the_positions_of_the_result_to_half_a_quantum(tow: Result) -> None:
    text = page(tow, fps=10.0)
    held = numbers(text)
    rows = np.searchsorted(tow.time, held["time"] - 1e-6)
    fine = head(text)["arrays"]["0.position"]["quantum"]
    assert fine < 1e-4  # m, in a scene of two metres
    np.testing.assert_allclose(held["position"], tow["position"].values[rows], atol=0.5001 * fine)


def test_numbers_come_back_to_half_a_quantum_and_unknown_ones_stay_unknown() -> None:
    rng = np.random.default_rng(0)
    walk = np.cumsum(rng.normal(size=(300, 7, 3)), axis=0)
    walk[40:60, 3] = np.nan
    pack = Pack()
    pack.add("walk", walk, 1e-3)
    pack.add("nothing", np.zeros((300, 0, 3)), 1e-3)
    pack.add("huge", np.array([0.0, -1e12, 1e12]), 1e-3)  # does not fit: coarser
    data = pack.whole()
    np.testing.assert_allclose(unpack(pack.heads["walk"], data), walk, atol=0.5001e-3)
    assert unpack(pack.heads["nothing"], data).shape == (300, 0, 3)
    np.testing.assert_allclose(unpack(pack.heads["huge"], data), [0.0, -1e12, 1e12], rtol=1e-8)


def test_a_jerk_between_two_frames_is_seen() -> None:
    result = simulate(get("hand-over").build(), duration=2.5)
    text = page(result, fps=2.0)
    np.testing.assert_allclose(np.nanmax(numbers(text)["tension"]), np.nanmax(result["tension"].values), rtol=1e-4)


def test_every_number_of_a_curve_has_four_digits_and_a_thread_beside_a_hawser_is_taut() -> None:
    result = simulate(
        scene_from_text(
            """
bodies: {heavy: {mass: 1.0e+6, point: true}, light: {mass: 0.05, point: true, position: [1, 0, 0]}}
robots: {a: {position: [0, 0, 1]}, b: {position: [1, 0, 1]}, c: {position: [3, 0, 1]}}
wires:
  big: {from: heavy, to: a, length: 1}
  thread: {from: light, to: b, length: 1}
  loose: {from: light, to: c, length: 5}
"""
        ),
        duration=0.02,
    )
    held = numbers(page(result))
    np.testing.assert_allclose(held["tension"][:, :2], result["tension"].values[[0, 10, 20], :2], rtol=1e-4)
    assert (held["slack"] == [0.0, 0.0, 1.0]).all()
    wide = np.geomspace(1e-6, 1e6, 500) * [[-1.0], [1.0]]
    pack = Pack()
    pack.add("wide", wide, 2e-4, 1e-9)
    np.testing.assert_allclose(unpack(pack.heads["wide"], pack.whole()), wide, rtol=1.01e-4)


def test_micrometres_and_metres_of_gap_are_both_told() -> None:
    result = simulate(get("slack-jerk").build())
    held = numbers(page(result))
    rows = np.searchsorted(result.time, held["time"] - 1e-6)
    np.testing.assert_allclose(held["gap"][:30], result["gap"].values[rows][:30], rtol=1e-4)  # half a step of asinh


def test_a_wire_is_gone_from_its_break_or_detachment_on_and_before_it_is_attached() -> None:
    text = page(simulate(get("wire-breaks-in-lift").build(), duration=0.3))
    broken = head(text)["runs"][0]["wires"][0]
    assert [broken["name"], len(broken["gone"])] == ["w0", 1]
    assert broken["gone"][0][0] == pytest.approx(0.101)
    assert broken["gone"][0][1] > 0.3
    tension = numbers(text)["tension"]
    assert tension[5, 0] > 0.0
    assert np.isnan(tension[-10:, 0]).all()
    given = simulate(get("hand-over").build(), duration=1.0)
    spans = absences(given, ["given", "taken"])
    assert spans["given"] == ()
    assert spans["taken"] == ((-np.inf, 0.25),)


def test_every_kind_of_event_is_told_and_what_will_fail_too() -> None:
    result = simulate(get("four-robots-box").build(), duration=0.01)
    made = [Event(0.001 * k, kind, "w0") for k, kind in enumerate(KINDS)]  # type: ignore[arg-type]
    result.events = Events(made)
    assert {event["kind"] for event in head(page(result))["runs"][0]["events"]} == set(KINDS)
    scene = get("quadcopters-carry-box").build()
    told = happenings(Result({"time": np.array([0.0, 20.0])}, {}), scene)
    assert [(one.time, one.kind, one.text) for one in told] == [(11.0, "failure", "quadcopter1: all rotors fail")]


def test_a_cable_without_bodies_has_a_page() -> None:
    text = page(simulate(get("hanging-chain").build(elements=8), duration=0.1))
    assert numbers(text)["node.chain"].shape[1:] == (9, 3)
    assert head(text)["runs"][0]["bodies"] == []


def test_in_a_notebook_the_page_is_a_frame_that_holds_all_of_it(tow: Result) -> None:
    film = view(tow, fps=5.0)
    found = re.fullmatch(r'<iframe srcdoc="([^"]*)" style="[^"]*"></iframe>', film._repr_html_())
    assert found
    assert html.unescape(found[1]) == page(tow, fps=5.0)
    assert tow.view().text == page(tow)
    apart = {"layout": "side", "names": ["a", "b"]}
    assert tow.view(tow, **apart).text == page(tow, tow, **apart)


def test_runs_of_one_scene_are_laid_over_each_other_under_different_names(tow: Result) -> None:
    other = simulate(get("four-robots-box").build(), duration=1.0, step=2e-3)
    runs = head(page(tow, other, fps=10.0))["runs"]
    assert len({run["title"] for run in runs}) == 2
    assert [run["frames"] for run in runs] == [61, 11]
    named = head(page(tow, other, names=["fine", "coarse"], fps=10.0))
    assert ([run["title"] for run in named["runs"]], named["title"]) == (["fine", "coarse"], "four-robots-box")
    with pytest.raises(UsageError, match="a name of its own, got"):
        page(tow, other, names=["one", "one"])


def test_names_cannot_break_out_of_the_page() -> None:
    text = "name: '</script><b>x'\nbodies: {b: {mass: 1.0, point: true}}\n"
    result = simulate(scene_from_text(text), duration=0.1)
    made = page(result)
    assert "</script><b>x" not in made
    assert head(made)["title"] == "</script><b>x"


def test_a_result_without_bodies_and_cables_is_refused() -> None:
    with pytest.raises(ResultError, match="no bodies and no cables to draw"):
        page(Result({"time": np.zeros(1)}, {}))


def test_what_a_scene_does_not_say_to_fly_is_no_quadcopter_on_a_page(tow: Result) -> None:
    assert {one["kind"] for one in head(page(tow))["runs"][0]["robots"]} == {"marker"}


def test_a_scene_without_wires_and_robots_has_a_page() -> None:
    scene = Scene(bodies={"ball": {"mass": 1.0, "shape": {"sphere": 0.1}, "velocity": [1, 0, 3]}})
    assert len(numbers(page(simulate(scene, duration=0.2)))["time"]) == 21


@pytest.fixture(scope="module")
def browser():  # type: ignore[no-untyped-def]
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    sync = pytest.importorskip("playwright.sync_api")
    with sync.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


@contextlib.contextmanager
def opened(browser, file, size=(900, 700), address="", **options):  # type: ignore[no-untyped-def]
    """The page in a browser; afterwards it has complained of nothing and asked for nothing."""
    complaints: list[str] = []
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **options)
    view = context.new_page()
    view.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    view.on("pageerror", lambda error: complaints.append(str(error)))
    view.on("request", lambda ask: complaints.append(ask.url) if ask.url.startswith("http") else None)
    view.goto(file.as_uri() + address)
    view.wait_for_selector("body[data-ready=yes]", timeout=60_000)
    yield view
    context.close()
    assert complaints == []


COLOURS = """() => { const c = document.getElementById('canvas'), g = c.getContext('webgl2');
const p = new Uint8Array(4 * c.width * c.height); g.readPixels(0, 0, c.width, c.height, g.RGBA, g.UNSIGNED_BYTE, p);
return new Set(new Uint32Array(p.buffer)).size; }"""


@pytest.mark.slow
def test_in_a_browser_the_page_draws_and_scrubbing_moves_the_load(tow: Result, tmp_path, browser) -> None:  # type: ignore[no-untyped-def]
    with opened(browser, write_page(tow, tmp_path / "page.html")) as view:
        before = view.evaluate("viewer.position('box')")
        first = view.locator("#canvas").screenshot()
        view.evaluate(
            "() => { const s = document.getElementById('scrub'); s.value = s.max / 3;"
            "s.dispatchEvent(new Event('input')); }"
        )
        view.wait_for_timeout(500)
        after, time = view.evaluate("[viewer.position('box'), viewer.time()]")
        second = view.locator("#canvas").screenshot()
        assert view.evaluate(COLOURS) > 20  # a blank canvas has one
        drawn = view.evaluate("viewer.drawn()")
        view.hover("#canvas", position={"x": 5, "y": 5})  # the sky
        view.wait_for_timeout(300)
        assert not view.is_visible("#tip")
        assert view.evaluate("viewer.drawn()") == drawn  # nothing changes, nothing is drawn
        chosen = "document.querySelector('#panel1 select')"
        offered = view.evaluate(f"[...{chosen}.options].map(one => one.value)")
        for name in offered:  # each is read when it is first chosen
            view.select_option("#panel1 select", name)
            view.hover("#panel1 canvas")
            assert view.inner_text("#panel1 .tip").startswith("2.8")  # s, the middle of the panel
        assert {"tension", "gap", "speed", "z"} <= set(offered)
        tint = "document.querySelector('.chips button').style.getPropertyValue('--tint')"
        light = view.evaluate(tint)
        view.emulate_media(color_scheme="dark")
        view.wait_for_function(f"{tint} !== '{light}'")
        view.click("#play")
        view.wait_for_timeout(1000)
        assert view.evaluate("viewer.time()") > 2.0
    assert time == pytest.approx(2.0, abs=1e-3)
    row = int(np.searchsorted(tow.time, time - 1e-6))
    np.testing.assert_allclose(before, tow["position"].values[0, 0], atol=5e-5)
    np.testing.assert_allclose(after, tow["position"].values[row, 0], atol=1e-3)  # 1 mm/ms, at a frame or between two
    assert first != second


HALVES = """() => { const c = document.getElementById('canvas'), g = c.getContext('webgl2'), w = c.width / 2;
const half = (x) => { const p = new Uint8Array(4 * w * c.height);
g.readPixels(x, 0, w, c.height, g.RGBA, g.UNSIGNED_BYTE, p); return p; }; const [a, b] = [half(0), half(w)];
return a.filter((v, i) => Math.abs(v - b[i]) > 25).length; }"""
"""How much of the left half of the picture is not as in the right half, beyond what an edge's smoothing makes of it."""


@pytest.mark.slow
def test_in_a_browser_a_run_beside_itself_is_seen_twice_under_one_camera(tow: Result, tmp_path, browser) -> None:  # type: ignore[no-untyped-def]
    file = write_page([tow, tow], tmp_path / "twice.html", names=["one", "other"], fps=10.0)
    with opened(browser, file, (900, 700), address="#t=1&layout=side") as view:
        assert view.evaluate("viewer.cells().map((one) => [one.x, one.width])") == [[0, 450], [450, 450]]
        assert view.evaluate(HALVES) == 0
        assert view.evaluate(COLOURS) > 20
        assert view.evaluate("viewer.inside()")
        view.select_option("#layout", "over")
        view.wait_for_function("viewer.cells().length === 1")
        assert view.evaluate(HALVES) > 1000
    with pytest.raises(UsageError, match="unknown layout 'sides': did you mean 'side'"):
        page(tow, tow, layout="sides")


@pytest.mark.slow
def test_in_a_browser_a_load_that_goes_far_is_followed_from_near(tmp_path, browser) -> None:  # type: ignore[no-untyped-def]
    barge = simulate(get("barge-tow").build(), duration=300.0, step=0.1)
    with opened(browser, write_page(barge, tmp_path / "barge.html", fps=1.0), address="#t=250") as view:
        assert view.evaluate("document.getElementById('camera').value") == "fore"
        assert not view.evaluate("viewer.inside()")  # not all of the way
        away = "viewer.position('fore').map((v, i) => v - viewer.target()[i])"
        there = view.evaluate(away)
        view.evaluate("viewer.seek(100)")
        assert view.evaluate(away) == pytest.approx(there)
        assert head(view.content())["runs"][0]["robots"][0]["kind"] == "vessel"  # afloat in a current
        view.click("#fit")
        assert view.evaluate("viewer.inside()")


@pytest.mark.slow
def test_in_a_browser_a_broken_wire_is_absent_a_slack_one_has_its_length_and_all_fits(tmp_path, browser) -> None:  # type: ignore[no-untyped-def]
    lift = simulate(get("wire-breaks-in-lift").build(), duration=0.3)
    with opened(browser, write_page(lift, tmp_path / "lift.html"), (390, 800), color_scheme="dark") as view:
        assert view.evaluate("(viewer.seek(0.05), viewer.line('w0'))") is not None
        assert view.evaluate("(viewer.seek(0.2), viewer.line('w0'))") is None
        assert view.evaluate("viewer.line('w1')") is not None
        assert all(
            view.evaluate(f"(viewer.look('{name}'), viewer.inside())") for name in ("fit", "front", "side", "top")
        )
        view.click("#marks span[data-kind=break]")
        assert view.evaluate("viewer.time()") == pytest.approx(0.101)
        assert view.evaluate("viewer.lit()") == "w0"
    slack = simulate(get("slack-jerk").build(), duration=0.2)
    with opened(browser, write_page(slack, tmp_path / "slack.html"), address="#t=0.1&camera=side") as view:
        line = np.array(view.evaluate("viewer.line('wire')")).reshape(-1, 3)
        assert view.evaluate("viewer.time()") == pytest.approx(0.1)
    length = np.linalg.norm(np.diff(line, axis=0), axis=1).sum()
    gap = float(slack["gap"].values[100, 0])
    declared = float(slack["length"].values[100, 0])
    assert gap > 0.1
    assert length == pytest.approx(declared, rel=3e-3)  # 48 straight pieces


@pytest.mark.slow
def test_in_a_browser_a_slack_wire_over_rings_is_dashed_from_end_to_end(tmp_path: Path, browser: Any) -> None:
    result = simulate(
        scene_from_text(
            """
bodies: {a: {mass: 1, point: true}}
robots: {top: {position: [0, 0, 1]}, r: {position: [0, 0, 2]}, s: {position: [4, 0, 2]}, end: {position: [8, 0, 2]}}
wires: {hold: {from: a, to: top, length: 1}, w: {from: a, via: [r, s], to: end, length: 10.1}}
"""
        ),
        duration=0.02,
    )
    with opened(browser, write_page(result, tmp_path / "rings.html"), address="#camera=front") as view:
        picture = Image.open(io.BytesIO(view.locator("#canvas").screenshot())).convert("RGB")
    orange = np.abs(np.asarray(picture, int) - [213, 94, 0]).sum(axis=2) < 90
    columns = np.trim_zeros(orange.any(axis=0).astype(int))
    changes = np.flatnonzero(np.diff(columns, prepend=-1, append=-1))
    assert len(columns) > 200
    assert np.diff(changes).max() < len(columns) / 10  # neither a dash nor what is between two
