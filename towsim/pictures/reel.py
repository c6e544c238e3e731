"""Pictures one after another become a file: .gif and .webp by Pillow, .mp4 and .webm by ffmpeg, or a folder of .png."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from itertools import count, islice, pairwise
from pathlib import Path

from PIL import Image

from towsim.errors import UsageError
from towsim.results.files import check_name, into_place

CODECS = {
    ".mp4": ("libx264", "-crf", "20", "-movflags", "+faststart"),
    ".webm": ("libvpx-vp9", "-crf", "32", "-b:v", "0"),
}
"""What ffmpeg is told of the picture, by suffix; smaller crf is finer."""

SUFFIXES = (".gif", ".webp", *CODECS)


FASTEST = {".gif": 50, ".webp": 90}
"""Pictures per second beyond which browsers show each of them for a tenth of a second, by suffix."""


def check(path: Path, fps: float) -> None:
    """Raise UsageError unless a film can be written there: before the first picture, which may take a while."""
    check_name(path)
    if path.is_dir():
        check_folder(path)
    if path.suffix and path.suffix not in SUFFIXES:
        raise UsageError(f"{path}: an animation is {', '.join(SUFFIXES)}, or a folder of .png (a name without suffix)")
    if fps > FASTEST.get(path.suffix, fps):
        raise UsageError(
            f"a {path.suffix} of {fps:g} pictures per second would be shown too slowly: it can have up to "
            f"{FASTEST[path.suffix]}; a .mp4 or .webm can have more"
        )
    if path.suffix in CODECS:
        _ffmpeg()


def check_folder(folder: Path) -> None:
    """Raise UsageError unless a folder holds pictures of a film, or nothing at all: it is written over."""
    if folder.suffix:
        raise UsageError(f"{folder} is a folder, but a {folder.suffix} is a file; use another name")
    if not all(re.fullmatch(r"\d{5,}\.png", file.name) for file in folder.iterdir()):
        raise UsageError(f"{folder} is a folder that holds other things than pictures of a film; use another name")


def delays(fps: float, unit: int) -> Iterator[int]:
    """How long each picture is shown [ms], in whole ``unit`` ms, so that each comes within half of one of its time."""
    ends = (unit * round(1000 * k / fps / unit) for k in count())
    return (end - start for start, end in pairwise(ends))


def write(pictures: Iterator[Image.Image], path: Path, fps: float) -> Path:
    """Write the file, whole or not at all; the pictures (RGB, of one size) are asked for one by one."""
    temporary = path.with_name(f".{path.stem}.part{path.suffix}")
    try:
        if path.suffix == ".gif":
            few = (_few_colours(picture, delay) for picture, delay in zip(pictures, delays(fps, 10), strict=False))
            next(few).save(temporary, save_all=True, append_images=few, loop=0)
        elif path.suffix == ".webp":
            rest = list(pictures)
            shown = list(islice(delays(fps, 1), len(rest)))
            rest[0].save(temporary, save_all=True, append_images=rest[1:], duration=shown, quality=75)
        elif path.suffix:
            _encode(pictures, temporary, fps)
        else:
            temporary.mkdir()
            for k, picture in enumerate(pictures):
                picture.save(temporary / f"{k:05d}.png")
        if path.is_dir():
            shutil.rmtree(path)
        into_place(temporary, path)
    finally:
        if temporary.is_dir():
            shutil.rmtree(temporary)
        temporary.unlink(missing_ok=True)
    return path


def _few_colours(picture: Image.Image, delay: int) -> Image.Image:
    """The picture as one of a .gif, that is shown for ``delay`` ms."""
    made = picture.quantize(dither=Image.Dither.NONE)
    made.info["duration"] = delay
    return made


def _encode(pictures: Iterator[Image.Image], path: Path, fps: float) -> None:
    first = next(pictures)
    size = "x".join(map(str, first.size))
    given = ("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", str(fps), "-i", "-")
    codec, *settings = CODECS[path.suffix]
    made = ("-c:v", codec, *settings, "-pix_fmt", "yuv420p", "-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2")  # even sides
    command = [_ffmpeg(), "-y", "-loglevel", "error", *given, *made, os.fspath(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        try:
            process.stdin.write(first.tobytes())
            for picture in pictures:
                process.stdin.write(picture.tobytes())
        except BrokenPipeError:
            pass  # it tells why below
        except BaseException:
            process.kill()
            raise
        process.stdin.close()
        complaint = process.stderr.read().decode(errors="replace").strip()
    if process.returncode:
        raise UsageError(f"ffmpeg could not write {path.suffix}: {complaint[-300:]}; a .gif needs no ffmpeg")


def _ffmpeg() -> str:
    found = shutil.which("ffmpeg")
    if found is None:
        try:
            import imageio_ffmpeg
        except ImportError:
            raise UsageError(
                "a .mp4 or .webm needs ffmpeg: install the program, or pip install imageio-ffmpeg; "
                "a .gif or a folder of .png needs nothing more"
            ) from None
        found = str(imageio_ffmpeg.get_ffmpeg_exe())
    return found
