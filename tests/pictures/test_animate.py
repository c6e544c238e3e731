"""Films: as many pictures as the time asks for, the last one of another scene than the first."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from scenarios import get
from towsim import UsageError, simulate
from towsim.pictures.animate import animate
from towsim.results import Result


@pytest.fixture(scope="module")
def tow() -> Result:
    return simulate(get("slack-jerk").build(), duration=0.4)


def test_a_gif_has_a_picture_for_every_frame_and_moves(tow: Result, tmp_path: Path) -> None:
    film = Image.open(animate(tow, tmp_path / "tow.gif", fps=10, speed=0.5))
    assert film.n_frames == 9  # 0.4 s at half speed, 10 pictures a second, both ends
    first = np.asarray(film.convert("L"), float)
    film.seek(8)
    assert np.abs(np.asarray(film.convert("L"), float) - first).max() > 50


@pytest.mark.slow
def test_an_mp4_is_written_when_ffmpeg_is_there(tow: Result, tmp_path: Path) -> None:
    pytest.importorskip("imageio_ffmpeg")
    head = animate(tow, tmp_path / "tow.mp4", fps=10).read_bytes()[:12]
    assert head[4:8] == b"ftyp"


def test_another_suffix_is_refused(tow: Result, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="an animation is"):
        animate(tow, tmp_path / "tow.avi")
    assert not list(tmp_path.iterdir())
