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
# # A first tow
#
# Two robots carry a box. A scene says what there is, in SI units; `simulate` steps it; the result is one table of
# named variables.

# %%
# %matplotlib inline
import towsim
from towsim.scene import scene_from_text

scene = scene_from_text("""
name: first tow
bodies:
  box: {mass: 2.0, shape: {box: [0.4, 0.3, 0.2]}, points: {left: [-0.2, 0, 0.1], right: [0.2, 0, 0.1]}}
robots:
  east: {motion: {waypoints: {t: [0, 3], position: [[0.48, 0, 1.06], [1.98, 0, 1.56]]}}}
  west: {motion: {waypoints: {t: [0, 3], position: [[-0.48, 0, 1.06], [1.02, 0, 1.56]]}}}
wires:
  e: {from: box.right, to: east, length: 1.0}
  w: {from: box.left, to: west, length: 1.0}
run: {duration: 5.0, step: 1e-3}
""")
result = towsim.simulate(scene)
print(result.summary())

# %% [markdown]
# No wire stretches by more than micrometres, every step was solved to rounding, and there were no jerks: the wires start
# taut and stay so. A figure shows it:

# %%
towsim.plot(result)

# %% [markdown]
# Any number is at hand, by name:

# %%
tension = result["tension"].sel(wire="e")
print(f"tension of e: {tension.min():.3f} to {tension.max():.3f} N, {tension.values[-1]:.3f} N at the end")
print("the box ends at", result["position"].sel(body="box").values[-1], "m")

# %% [markdown]
# At rest the wires bear a weight of 19.62 N between them. Each is 1 m long and rises by 0.96 m, so that it bears
# 19.62/(2 · 0.96) = 10.22 N. While the box is sped up, slowed down and sways, the tensions differ from that.
# What changes with a heavier box, or with the second-order method? One word each:

# %%
heavier = towsim.simulate(scene.with_values({"bodies.box.mass": 4.0}), method="shake")
print(heavier.summary())

# %% [markdown]
# And what if the robots part faster than the wires allow? Nothing gives way silently: the run is refused, with names,
# time and speed.

# %%
wide = scene.with_values({"robots.east.motion.waypoints.position": [[0.48, 0, 1.06], [5.98, 0, 1.56]]})
try:
    towsim.simulate(wide)
except towsim.RefusedError as error:
    print(error)
