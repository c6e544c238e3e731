"""Films: as many pictures as the time asks for, the last one of another moment than the first, whoever draws them."""

import importlib.util
import shutil
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mpl_toolkits.mplot3d import art3d
from PIL import Image

from scenarios import get
from towsim import UsageError, simulate, view
from towsim.cli import main
from towsim.pictures.animate import animate
from towsim.pictures.drawing import drawn
from towsim.pictures.headless import BROWSERS
from towsim.pictures.page3d import PARTS
from towsim.pictures.reel import check, write
from towsim.pictures.stage import Stage, stage
from towsim.results import Result
from towsim.scene import scene_from_data

BROWSER = pytest.param(
    "browser",
    "webp",
    marks=[
        pytest.mark.slow,
        pytest.mark.skipif(
            not (any(map(shutil.which, BROWSERS)) and importlib.util.find_spec("playwright")), reason="no browser"
        ),
        pytest.mark.skipif(not (PARTS / "bundle.js").is_file(), reason="towsim was installed without its 3-D page"),
    ],
)


@pytest.fixture(scope="module")
def tow() -> Result:
    return simulate(get("slack-jerk").build(), duration=0.4)


@pytest.mark.parametrize(("renderer", "suffix"), [("matplotlib", "gif"), BROWSER])
def test_a_film_has_a_picture_for_every_frame_and_moves(
    tow: Result, tmp_path: Path, renderer: str, suffix: str
) -> None:
    options = {"fps": 10, "speed": 0.5, "size": (320, 240), "renderer": renderer}
    film = Image.open(animate(tow, tmp_path / f"tow.{suffix}", **options))
    assert film.size == (320, 240)
    assert film.n_frames == 9  # 0.4 s at half speed, 10 pictures a second, both ends
    first = np.asarray(film.convert("L"), float)
    assert first[40:].min() < 120  # below the title something is drawn
    film.seek(8)
    assert np.abs(np.asarray(film.convert("L"), float) - first).max() > 50
    assert [path.name for path in tmp_path.iterdir()] == [f"tow.{suffix}"]


def test_nobody_is_warned_of_what_was_in_memory_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """matplotlib leaves the corners unset that some faces have fewer of, and projects them."""

    class Dirty:
        def __getattr__(self, name: str) -> Any:
            return getattr(np, name)

        def empty(self, shape: Any, *dtype: Any) -> Any:
            return np.full(shape, 1.7e308, *dtype)

    monkeypatch.setattr(art3d, "np", Dirty())
    bodies = {
        name: {"mass": 1.0, "shape": shape, "position": [at, 0.0, 0.0]}
        for at, (name, shape) in enumerate({"box": {"box": [0.2, 0.2, 0.2]}, "ball": {"sphere": 0.1}}.items())
    }
    run = simulate(scene_from_data({"bodies": bodies}), duration=0.01)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        animate(run, tmp_path / "o.gif", fps=5, size=(100, 80), renderer="matplotlib")


@pytest.mark.parametrize(("renderer", "suffix"), [("matplotlib", "gif"), BROWSER])
def test_a_film_is_as_fast_as_asked_however_few_rows_were_recorded(tmp_path: Path, renderer: str, suffix: str) -> None:
    few = simulate(get("slack-jerk").build(), duration=0.4, record_every=100)
    assert len(few.time) == 5
    told: list[tuple[int, int]] = []
    options = {"speed": 0.5, "size": (32, 24), "renderer": renderer}
    animate(few, tmp_path / f"few.{suffix}", progress=lambda *of: told.append(of), **options)
    assert told[-1] == (21, 21)  # 0.4 s at half speed, 25 pictures a second, both ends


def test_a_small_scene_fills_a_film_as_a_great_one_does(tow: Result) -> None:
    seen = stage(tow, 10)
    small = replace(seen, position=0.01 * seen.position, robot=0.01 * seen.robot, path=0.01 * seen.path)

    def coloured(one: Stage) -> int:
        picture = np.asarray(next(drawn(one, [0.0], "", size=(320, 240), camera="side")), int)
        return int((np.ptp(picture, axis=2) > 40).sum())

    assert coloured(small) == pytest.approx(coloured(seen), rel=0.1)  # labels of axes may be longer


@pytest.mark.parametrize(("suffix", "fps"), [("gif", 30), ("webp", 70)])
def test_a_film_is_as_long_as_the_run_though_delays_are_whole_numbers(tmp_path: Path, suffix: str, fps: int) -> None:
    pictures = (Image.new("RGB", (4, 4), (0, 4 * k, 0)) for k in range(60))
    film = Image.open(write(pictures, tmp_path / f"film.{suffix}", fps))
    delays = []
    for k in range(film.n_frames):
        film.seek(k)
        film.load()
        delays.append(film.info["duration"])
    assert sum(delays) == pytest.approx(60_000 / fps, abs=5.0)  # ms
    with pytest.raises(UsageError, match="of 120 pictures per second would be shown too slowly"):
        check(tmp_path / f"fast.{suffix}", 120)


@pytest.mark.slow
@pytest.mark.parametrize(("suffix", "magic"), [(".mp4", b"ftyp"), (".webm", b"webm")])
def test_a_video_is_written_when_ffmpeg_is_there(tow: Result, tmp_path: Path, suffix: str, magic: bytes) -> None:
    pytest.importorskip("imageio_ffmpeg")
    path = animate(tow, tmp_path / f"tow{suffix}", fps=10, size=(321, 241), renderer="matplotlib")
    assert magic in path.read_bytes()[:64]


def test_a_name_without_suffix_is_a_folder_of_pictures_in_order(tow: Result, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    options = {"fps": 5, "renderer": "matplotlib", "camera": "side"}
    folder = animate(tow, tmp_path / "film", progress=lambda done, of: told.append((done, of)), **options)
    assert [path.name for path in sorted(folder.iterdir())] == ["00000.png", "00001.png", "00002.png"]
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_a_folder_of_pictures_is_written_over_and_one_of_other_things_is_not(
    tow: Result, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = {"fps": 5, "renderer": "matplotlib"}
    folder = tmp_path / "film"
    folder.mkdir()
    animate(tow, folder, **options)
    (folder / "00003.png").touch()  # of a longer one
    tow.save(tmp_path / "tow.nc")
    words = ["animate", str(tmp_path / "tow.nc"), "-o", str(folder), "--fps", "5", "--renderer", "matplotlib"]
    assert main(words) == 2
    assert "film exists already; use another name, or overwrite it with --force" in capsys.readouterr().err
    assert main([*words, "--force"]) == 0
    assert len([*folder.iterdir()]) == 3
    words[3] = str(tmp_path / "empty")
    (tmp_path / "empty").mkdir()
    assert main(words) == 0
    words[3] = str(folder)
    (folder / "notes.txt").touch()
    with pytest.raises(UsageError, match="holds other things"):
        animate(tow, folder, **options)
    assert main([*words, "--force"]) == 2
    assert len([*folder.iterdir()]) == 4


def test_another_suffix_camera_or_renderer_is_refused_before_anything_is_drawn(tow: Result, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="an animation is"):
        animate(tow, tmp_path / "tow.avi")
    with pytest.raises(UsageError, match="did you mean 'front'"):
        animate(tow, tmp_path / "tow.gif", camera="fromt")
    with pytest.raises(UsageError, match="did you mean 'side'"):
        animate([tow, tow], tmp_path / "tow.gif", layout="sied")
    with pytest.raises(UsageError, match="unknown renderer"):
        animate(tow, tmp_path / "tow.gif", renderer="webgl")
    with pytest.raises(UsageError, match="draws one result"):
        animate([tow, tow], tmp_path / "tow.gif", renderer="matplotlib")
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"fps": 0}, "fps must be > 0, got 0"),
        ({"fps": "25"}, "fps must be a finite number"),
        ({"speed": float("nan")}, "speed must be a finite number"),
        ({"speed": -1.0}, "speed must be > 0"),
        ({"speed": 1e-9}, "a film of 1e\\+10 pictures"),
        ({"size": "800x600"}, "size must be breadth and height"),
        ({"size": (800, 0.5)}, "size must be breadth and height"),
        ({"camera": ["top"]}, "unknown camera"),
        ({"progress": 3}, "progress must be a function"),
    ]
    for given, complaint in wrong:
        with pytest.raises(UsageError, match=complaint):
            animate(tow, tmp_path / "tow.gif", **given)
    no_results: list[Any] = [None, "tow.nc", [None]]
    for nothing in no_results:
        with pytest.raises(UsageError, match=r"results must be a list|a result is needed"):
            animate(nothing, tmp_path / "tow.gif")
    with pytest.raises(UsageError, match="fps must be > 0"):
        view(tow, fps=0)
    assert not list(tmp_path.iterdir())
