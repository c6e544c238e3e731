"""Results and scene files for the command line, and a way to run it as users do."""

import os
import subprocess
import sys

import numpy as np
import pytest

from towsim.results import Event, Result


@pytest.fixture
def result():
    rows = 60
    time = np.linspace(0.0, 3.0, rows)
    columns = {
        "time": time,
        "position": np.stack([np.sin(time), 0 * time, time], 1)[:, None, :],
        "tension": np.stack([5 + np.sin(time), 6 + np.cos(time)], 1),
        "gap": np.full((rows, 2), -1e-9),
        "residual": np.full(rows, 1e-14),
        "status": np.zeros(rows, np.int8),
    }
    coords = {"body": ("bøx",), "wire": ("left", "right")}
    return Result(columns, coords, [Event(1.0, "jerk", "left", 2.0, 0.5)], {"name": "made", "scene": "a: 1\nb: 2\n"})


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def scene_file(folder):
    """A box on two wires, ready to run."""
    path = folder / "made.yaml"
    path.write_text(SCENE)
    return path


@pytest.fixture
def towsim(folder):
    """Run ``towsim WORDS...`` as a process of its own; gives returncode, stdout and stderr."""

    def run(*words, **options):
        environment = {**os.environ, **options.pop("env", {})}
        command = [sys.executable, "-m", "towsim", *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, **options)

    return run


ROOT = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))

SCENE = """\
schema: 1
name: made
bodies:
  box: {mass: 2.0, shape: {box: [0.4, 0.3, 0.2]}, points: {left: [-0.2, 0, 0.1], right: [0.2, 0, 0.1]}}
robots:
  east: {motion: {waypoints: {t: [0, 1], position: [[0.2, 0, 1.1], [0.4, 0, 1.3]], kind: quintic}}}
  west: {motion: {waypoints: {t: [0, 1], position: [[-0.2, 0, 1.1], [0.0, 0, 1.3]], kind: quintic}}}
wires:
  e: {from: box.right, to: east, length: 1.0}
  w: {from: box.left, to: west, length: 1.0}
run: {duration: 0.5, step: 1e-3}
"""
