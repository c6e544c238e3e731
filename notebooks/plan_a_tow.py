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
# # Plan a tow from its goal
#
# A simulation says what a load does when robots and winches move. Here it is the other way round: the goal is given, and
# the motion is looked for. `towsim.plan` changes numbers of a scene until a run of it meets the goal, and keeps within
# limits in every step; it knows from each run how its end depends on every number, by exact derivatives.
#
# ## A crane without swing
#
# A trolley carries a load of 500 kg by 4 m in 4 s, while its winch hauls in half of the rope. If it goes smoothly
# from rest to rest, the load still swings when it has arrived.

# %%
# %matplotlib inline
import matplotlib.pyplot as plt
import numpy as np
import towsim
from scenarios import planning

task = planning.shaped_crane()
first = towsim.simulate(task["scene"], duration=8.0)
found = towsim.plan(**task)
print(found)

# %% [markdown]
# What was free are the points that the trolley's path goes through. The goal are place and velocity of the load at the
# end; the swing is a function of the run that is limited all the way. The run goes on after the plan has ended: the load
# rests.

# %%
shaped = towsim.simulate(found.scene, duration=8.0)
figure, axes = plt.subplots(figsize=(7.0, 3.0), layout="constrained")
for run, name in ((first, "first guess"), (shaped, "planned")):
    axes.plot(run.time, run["position"].values[:, 0, 0] - run["robot_position"].values[:, 0, 0], label=name)
axes.axvline(4.0, color="0.6", lw=0.8)
axes.set(xlabel="time [s]", ylabel="load off its trolley [m]")
axes.legend()
figure

# %% [markdown]
# ## A beam through a gap
#
# Two robots carry a beam of 3 m through a gap of 1.2 m, and put it across again behind it. The first guess turns the
# beam too little, and a post is in its way. A limit is how far the beam's axis keeps from each post; it is written in
# plain numpy, from the beam's place and quaternion, and differentiated with the run.

# %%
task = planning.beam_through_gap()
first = towsim.simulate(task["scene"])
found = towsim.plan(**task, tolerance=1e-7, most_runs=120)
print(found)


# %%
def seen_from_above(run, axes):
    """The beam, every 0.5 s, and the posts."""
    w, x, y, z = run["quaternion"].values[:, 0].T
    axis = 1.5 * np.stack([2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z)], axis=1)
    centre = run["position"].values[:, 0, :2]
    for c, a in zip(centre[::50], axis[::50], strict=True):
        axes.plot(*np.stack([c - a, c + a], axis=1), color="C0", lw=1)
    for post in (0.6, -0.6):
        axes.add_patch(plt.Circle((4.0, post), 0.1, color="C3"))
    axes.set(aspect="equal", xlabel="x [m]", ylabel="y [m]")


figure, both = plt.subplots(2, 1, figsize=(7.0, 6.0), layout="constrained")
for run, name, axes in zip((first, towsim.simulate(found.scene)), ("first guess", "planned"), both, strict=True):
    seen_from_above(run, axes)
    axes.set_title(name)
figure

# %% [markdown]
# ## As fast as may be
#
# How soon can a winch hoist a load by 8 m, if its rope is to bear between 0.5 and 1.4 of the weight, and to run by 4 m/s
# at most? The duration is no number of the scene, so it is bisected: is there a plan of that duration, or is there none?

# %%
least = planning.shortest(planning.fast_hoist, 2.8, 3.2)
print(f"{least.scene.run.duration:.3f} s; with jumps of the acceleration it would be {planning.least_hoist():.3f} s")
run = towsim.simulate(least.scene)
figure, (above, below) = plt.subplots(2, 1, figsize=(7.0, 4.0), sharex=True, layout="constrained")
above.plot(run.time[1:], run["tension"].values[1:, 0] / 981.0)
above.set(ylabel="tension / weight")
below.plot(run.time, run["velocity"].values[:, 0, 2])
below.set(xlabel="time [s]", ylabel="speed [m/s]")
figure

# %% [markdown]
# ## A wire that is to be slack for a while
#
# The tension of a slack wire is zero, whatever is changed a little: a limit on it has no derivative there, and no search
# finds its way. Nor has the gap of a taut wire. But one of the two is always zero, so that their difference, tension −
# stiffness × gap with any stiffness, has a sign: it says how much a wire pulls, or how far it is from pulling. A limit of
# this number makes wires slack, or taut, on purpose.
