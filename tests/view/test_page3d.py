"""The 3-D page: complete in itself, true to the result, and alive in a real browser."""

import base64
import gzip
import json
import re
import shutil

import numpy as np
import pytest

from scenarios import get
from towsim import ResultError, Scene, simulate
from towsim.results import Result
from towsim.scene import scene_from_text
from towsim.view.page3d import PARTS, page, write_page

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


def numbers(text: str) -> dict[str, np.ndarray]:
    head = json.loads(stored(text, "head"))
    values = np.frombuffer(gzip.decompress(base64.b64decode(stored(text, "numbers"))), np.float32)
    return {
        name: values[one["start"] : one["start"] + int(np.prod(one["shape"]))].reshape(one["shape"])
        for name, one in head["arrays"].items()
    }


def test_six_seconds_at_100_frames_a_second_stay_below_3_megabytes(tow: Result) -> None:
    text = page(tow)
    assert len(numbers(text)["time"]) == 601
    assert len(text.encode()) < 3_000_000


def test_the_page_asks_for_nothing_outside_itself(tow: Result) -> None:
    text = page(tow)
    assert not re.findall(r'(?:src|href)\s*=\s*"(?!data:,")', text)
    assert "{{" not in text.replace("${{", "")
    bundle = gzip.decompress(base64.b64decode(stored(text, "bundle"))).decode()
    assert not re.findall(r"\b(fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts|import)\b\W", bundle)


def test_the_library_is_shaken_down_and_keeps_its_licence(tow: Result) -> None:
    assert len(stored(page(tow), "bundle")) < 250_000  # what the library offers, not what is used of it: 268 kB
    head = BUNDLE.read_text("utf-8")[:2000]
    assert "The MIT License" in head
    assert re.search(r"Copyright © .* three\.js authors", head)


def test_frames_hold_the_positions_of_the_result(tow: Result) -> None:
    held = numbers(page(tow, fps=10.0))
    rows = np.searchsorted(tow.time, held["time"] - 1e-6)
    np.testing.assert_allclose(held["position"], tow["position"].values[rows], atol=1e-6)  # float32 of a few metres


def test_wires_end_where_their_gap_says(tow: Result) -> None:
    held = numbers(page(tow))
    ends = held["path"].reshape(len(held["time"]), 4, 2, 3)
    distance = np.linalg.norm(ends[:, :, 1] - ends[:, :, 0], axis=2)
    np.testing.assert_allclose(distance, 1.0, atol=5e-6)  # 2e-6 m of stretch, float32


def test_a_jerk_between_two_frames_is_seen() -> None:
    result = simulate(get("slack-jerk").build())
    held = numbers(page(result, fps=2.0))
    np.testing.assert_allclose(np.nanmax(held["tension"]), np.nanmax(result["tension"].values), rtol=1e-6)


def test_names_cannot_break_out_of_the_page() -> None:
    text = "name: '</script><b>x'\nbodies: {b: {mass: 1.0, point: true}}\n"
    result = simulate(scene_from_text(text), duration=0.1)
    made = page(result)
    assert "</script><b>x" not in made
    assert json.loads(stored(made, "head"))["title"] == "</script><b>x"


def test_a_result_without_bodies_is_refused() -> None:
    with pytest.raises(ResultError, match="no bodies to draw"):
        page(Result({"time": np.zeros(1)}, {}))


def test_a_scene_without_wires_and_robots_has_a_page() -> None:
    scene = Scene(bodies={"ball": {"mass": 1.0, "shape": {"sphere": 0.1}, "velocity": [1, 0, 3]}})
    assert len(numbers(page(simulate(scene, duration=0.2)))["time"]) == 21


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_in_a_browser_the_page_draws_and_scrubbing_moves_the_load(tow: Result, tmp_path) -> None:  # type: ignore[no-untyped-def]
    sync = pytest.importorskip("playwright.sync_api")
    file = write_page(tow, tmp_path / "page.html")
    complaints: list[str] = []
    with sync.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        view = browser.new_page(viewport={"width": 900, "height": 700})
        view.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        view.on("pageerror", lambda error: complaints.append(str(error)))
        view.on("request", lambda ask: complaints.append(ask.url) if ask.url.startswith("http") else None)
        view.goto(file.as_uri())
        view.wait_for_selector("body[data-ready=yes]", timeout=60_000)
        view.wait_for_timeout(500)
        before = view.evaluate("viewer.position('box')")
        first = view.locator("#canvas").screenshot()
        view.evaluate(
            "(k) => { const s = document.getElementById('scrub'); s.value = k; s.dispatchEvent(new Event('input')); }",
            200,
        )
        view.wait_for_timeout(500)
        after = view.evaluate("viewer.position('box')")
        second = view.locator("#canvas").screenshot()
        view.click("#play")
        view.wait_for_timeout(1000)
        played = view.evaluate("viewer.time()")
        colours = view.evaluate(
            "() => { const c = document.getElementById('canvas'), g = c.getContext('webgl2');"
            "const p = new Uint8Array(4 * c.width * c.height);"
            "g.readPixels(0, 0, c.width, c.height, g.RGBA, g.UNSIGNED_BYTE, p);"
            "return new Set(new Uint32Array(p.buffer)).size; }"
        )
        browser.close()
    assert complaints == []
    assert colours > 20  # a blank canvas has one
    row = int(np.searchsorted(tow.time, 2.0 - 1e-6))
    np.testing.assert_allclose(before, tow["position"].values[0, 0], atol=1e-5)
    np.testing.assert_allclose(after, tow["position"].values[row, 0], atol=1e-5)
    assert first != second
    assert played > 2.0
