"""Pictures one after another become a file: .gif and .webp by Pillow, .mp4 and .webm by ffmpeg, or a folder of .png."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from towsim.errors import UsageError
from towsim.results.files import into_place

CODECS = {
    ".mp4": ("libx264", "-crf", "20", "-movflags", "+faststart"),
    ".webm": ("libvpx-vp9", "-crf", "32", "-b:v", "0"),
}
"""What ffmpeg is told of the picture, by suffix; smaller crf is finer."""

SUFFIXES = (".gif", ".webp", *CODECS)


def check(path: Path) -> None:
    """Raise UsageError unless a film can be written there: before the first picture, which may take a while.

    A folder is written over if it holds such pictures and nothing else.
    """
    if path.is_dir() and not is_film(path):
        raise UsageError(f"{path} is a folder that holds other things than pictures of a film; use another name")
    if path.suffix and path.suffix not in SUFFIXES:
        raise UsageError(f"{path}: an animation is {', '.join(SUFFIXES)}, or a folder of .png (a name without suffix)")
    if path.suffix in CODECS:
        _ffmpeg()


def is_film(folder: Path) -> bool:
    """Whether a folder holds pictures of a film, or nothing at all."""
    return not folder.suffix and all(re.fullmatch(r"\d{5,}\.png", file.name) for file in folder.iterdir())


def write(pictures: Iterator[Image.Image], path: Path, fps: int) -> Path:
    """Write the file, whole or not at all; the pictures (RGB, of one size) are asked for one by one."""
    temporary = path.with_name(f".{path.stem}.part{path.suffix}")
    try:
        if path.suffix == ".gif":
            few = (picture.quantize(dither=Image.Dither.NONE) for picture in pictures)
            next(few).save(temporary, save_all=True, append_images=few, duration=round(1000 / fps), loop=0)
        elif path.suffix == ".webp":
            rest = list(pictures)
            rest[0].save(temporary, save_all=True, append_images=rest[1:], duration=round(1000 / fps), quality=75)
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


def _encode(pictures: Iterator[Image.Image], path: Path, fps: int) -> None:
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
