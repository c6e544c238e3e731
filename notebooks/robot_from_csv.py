# ---
# jupyter:
#   jupytext:
#     formats: py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Your own robot from a table
#
# A robot's motion may be a recording: columns t, x, y, z in s and m. A cubic spline passes through every sample, so
# velocity and acceleration are continuous and exact for the spline. Before its first row and after its last one the
# robot stands still: one that is on its way there stops at once, so let the run end with the record.

# %%
# %matplotlib inline
import tempfile
from pathlib import Path

import numpy as np
import towsim

folder = Path(tempfile.mkdtemp())
t = np.linspace(0, 6, 121)
figure_of_eight = np.stack([t, np.sin(t), 0.5 * np.sin(2 * t), 2.0 + 0 * t], axis=1)
np.savetxt(folder / "path.csv", figure_of_eight, delimiter=",", header="t,x,y,z", comments="")

(folder / "tow.yaml").write_text("""
name: figure of eight
bodies: {load: {mass: 1.0, point: true, position: [0, 0, 1.0], drag: {linear: 0.3}}}
robots: {arm: {motion: {csv: path.csv}}}
wires: {w: {from: load, to: arm, length: 1.0}}
run: {duration: 6.0, step: 1e-3, method: shake}
""")
scene = towsim.load_scene(folder / "tow.yaml")
result = towsim.simulate(scene)
print(result.summary())
towsim.plot(result)

# %% [markdown]
# The load lags behind: it is a pendulum whose support moves. The lean of the wire follows from the acceleration.

# %%
arm = result["robot_position"].sel(robot="arm").values
load = result["position"].sel(body="load").values
x, y, z = (arm - load).T
lean = np.degrees(np.arctan2(np.hypot(x, y), z))
print(f"largest lean {lean.max():.1f} degrees at t = {result.time[lean.argmax()]:.2f} s")
