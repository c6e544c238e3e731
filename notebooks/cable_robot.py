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
# # A planar cable robot, from geometry to motion
#
# Four winches at the corners of a frame of 4 × 3 m move a platform of 2 kg. Cables bear 5 to 200 N. Which poses can they
# hold? Can the platform follow a circle, and with which tensions?

# %%
# %matplotlib inline
import numpy as np
import towsim
from towsim import cdpr

robot = cdpr.CableRobot(
    base=[[-2, 0, 3], [2, 0, 3], [2, 0, 0], [-2, 0, 0]],
    platform=[[-0.1, 0, 0.1], [0.1, 0, 0.1], [0.1, 0, -0.1], [-0.1, 0, -0.1]],
    mass=2.0,
    inertia=[0.02, 0.03, 0.02],
    least=5.0,
    most=200.0,
    stiffness=2e4,
)

# %% [markdown]
# ## Workspace
#
# Every pose has a verdict: tensions within the limits, or a proof that there are none.

# %%
space = cdpr.workspace(robot, cdpr.grid(np.linspace(-2, 2, 121), 0.0, np.linspace(0, 3, 91)))
distance, beyond = cdpr.reach(robot, [0, 0, 1.5], [[1, 0, 0], [0, 0, 1]], most=3.0)
print(f"sideways to {distance[0]:.3f} m: {beyond.why(0)}")
print(f"upwards to {distance[1]:.3f} m: {beyond.why(1)}")
towsim.pictures.plot_workspace(space)

# %% [markdown]
# ## A circle
#
# Of radius 0.8 m, once around in 4 s, from rest to rest. Of all tensions within the limits the analytic centre is chosen.

# %%
t = np.linspace(0.0, 4.0, 81)
s = t / 4.0
turn = 2 * np.pi * s**3 * (10 - 15 * s + 6 * s**2)
circle = np.stack([0.8 * np.sin(turn), 0 * t, 1.5 - 0.8 * np.cos(turn)], axis=1)
planned = cdpr.tensions(robot, circle)
towsim.pictures.plot_tensions(planned, t, names=robot.names)

# %% [markdown]
# ## The run
#
# Four hard wires on a platform with three freedoms in its plane would be overdetermined. Elastic ones are not: winches
# pay out the unstrained lengths that belong to the planned tensions, and the run finds these tensions again.

# %%
scene = cdpr.to_scene(robot, t, circle, damping=50.0)
result = towsim.simulate(scene, method="shake")
rows = np.rint(t / scene.run.step).astype(int)
off = np.abs(result["position"].sel(body="platform").values[rows] - circle).max()
tension = result["tension"].values
print(f"off the circle by at most {1e3 * off:.3f} mm; tensions {tension.min():.1f} to {tension.max():.1f} N")
assert off < 1e-4
assert tension.min() > 5.0
assert tension.max() < 200.0
towsim.plot(result, ["tension", "path"])
