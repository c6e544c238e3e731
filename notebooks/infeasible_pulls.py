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
# # Pulls that cannot be
#
# Three robots hold a load between them on hard wires. As long as they come closer the wires are slack; when they part,
# the load must follow; and when they part in a way that no motion of the load can satisfy, something has to give. A
# simulator may let the wires stretch, or stop converging, or print a warning. Here the step is **refused, with a proof,
# and by name**. This notebook shows what that proof is, in a plane where one can see it.
#
# Let $d_i$ be the direction from the load to robot $i$, and $u_i$ the speed at which that robot moves away along it. A
# wire that is straight now slackens at the rate
#
# $$ w_i = d_i \cdot v - u_i \ge 0, $$
#
# so every wire cuts a half-plane out of the velocities $v$ that the load may have. What all wires allow is a polygon.

# %%
# %matplotlib inline
from time import process_time

import numpy as np
import scenarios
import solvers
import towsim
from towsim.pictures.figures import FEW, style, swift_figure
from towsim.pictures.slider import Slider, explore, picture
from towsim.pictures.velocities import QUIVER, allowed, draw_velocities

NAMES = ["east", "north-west", "south-west"]
AZIMUTH = np.radians([0.0, 120.0, 240.0])


def pull(east, others=-0.25, drift=(-0.1, 0.15), azimuth=AZIMUTH, names=NAMES):
    """The problem of a load of 1 kg that drifts, and robots that move away at these speeds (m/s)."""
    d = np.array([np.cos(azimuth), np.sin(azimuth)])
    speed = np.r_[east, np.full(len(names) - 1, others)]
    return solvers.LCP.from_wires(np.ones(2), d, np.array(drift), -speed, names=names)


# %% [markdown]
# Three things can happen. The free velocity may be allowed: then all wires stay slack, and nothing pulls. Or it is not:
# then the impulses are those that bring the load to the **nearest allowed velocity**. That is Gauss's principle for one
# step, and the reason why $v$ is unique: a convex polygon has one point that is nearest. Or the polygon is empty.

# %%
for east in (-0.3, 0.2, 0.5, 0.6):
    problem = pull(east)
    solution = solvers.solve(problem)
    if solution.solved:
        print(f"east at {east:+.1f} m/s: v = {solution.v.round(4)} m/s, impulses {solution.z.round(4)} N s")
        d = problem.wires.G
        assert np.all(d.T @ solution.v + problem.wires.bias >= -1e-9)  # allowed
        corners = allowed(d, problem.wires.bias, 2.0)
        nearest = min(np.hypot(*(c - problem.wires.v_free)) for c in corners)
        assert np.hypot(*(solution.v - problem.wires.v_free)) <= nearest + 1e-9  # no corner is nearer
    else:
        print(f"east at {east:+.1f} m/s: {solution.status}. {solution.message}")


# %% [markdown]
# ## From slack to refused
#
# Move the slider. On the left the load and its robots; on the right the velocities, in m/s: what the wires allow
# (shaded), the free velocity of the load (ring), and the one after the step (dot). Wires that pull are thick; those that
# are blamed are red.


# %%
def scene_and_velocities(problem, azimuth=AZIMUTH):
    solution = solvers.solve(problem)
    figure = swift_figure(8.4, 4.0)
    left, right = figure.subplots(1, 2)
    blamed = solution.farkas.y > 1e-9 if solution.farkas is not None else np.zeros(problem.n, bool)
    robots = np.array([np.cos(azimuth), np.sin(azimuth)])
    for i, d in enumerate(robots.T):
        thick = blamed[i] or (solution.solved and solution.z[i] > 1e-9)
        left.plot([0, d[0]], [0, d[1]], color=FEW[1] if blamed[i] else "black", linewidth=3 if thick else 0.8)
        left.text(d[0], d[1] + 0.16, problem.names[i], fontsize=8, ha="center")
    left.plot(*robots, "s", color=FEW[0], markersize=9)
    left.quiver(*robots, *(-robots * problem.wires.bias), color=FEW[0], scale=1.0, width=0.01, **QUIVER)
    left.plot(0, 0, "o", color="black", markersize=11)
    left.set(xlim=(-1.7, 1.9), ylim=(-1.6, 1.6), aspect="equal")
    left.set_axis_off()
    draw_velocities(right, problem, solution)
    if not solution.solved:
        what = f"refused: {', '.join(n for n, b in zip(problem.names, blamed) if b)} part at {solution.farkas.speed:.2f} m/s"
    elif solution.z.max() < 1e-9:
        what = "all slack"
    else:
        what = "pulling: " + ", ".join(n for n, z in zip(problem.names, solution.z) if z > 1e-9)
    left.set_title(what, fontsize=9, loc="left", y=1.0)
    return figure


Slider(lambda east: scene_and_velocities(pull(east)), np.linspace(-0.4, 0.7, 12).round(2), label="east moves away at (m/s)")

# %% [markdown]
# The triangle shrinks to a point at 0.5 m/s, and then it is gone. Where that happens can be said beforehand: three wires
# at 120° balance each other when they pull equally, $d_1 + d_2 + d_3 = 0$. Add the three conditions with these weights,
# and the load's velocity drops out:
#
# $$ \sum_i y_i w_i = \Bigl(\sum_i y_i d_i\Bigr)\cdot v - \sum_i y_i u_i = -\sum_i y_i u_i , \qquad y = (1, 1, 1). $$
#
# The left side cannot be negative. So if $u_1 + u_2 + u_3 > 0$ there is no solution, *whatever the load does, whatever
# its mass*. Such a $y$, tensions that balance each other while their ends part, is a **Farkas vector**. One half of
# Farkas's lemma says that it refutes; the other that whenever there is no solution, there is such a vector. It is what
# `solvers` looks for, checks, and shows.

# %%
problem = pull(0.6)
refused = solvers.solve(problem)
y = refused.farkas.y
print("y =", y.round(12))
print("y-weighted directions:", (problem.wires.G @ y).round(12), "  their ends part at", refused.farkas.speed, "m/s")
assert np.allclose(y, 1.0)
assert np.allclose(problem.wires.G @ y, 0.0)
assert np.isclose(refused.farkas.speed, 0.6 - 0.25 - 0.25)

edge = [east for east in np.linspace(0.4, 0.6, 41) if solvers.solve(pull(east)).solved][-1]
print(f"the last speed that is solved: {edge:.3f} m/s")
assert np.isclose(edge, 0.5)

# %% [markdown]
# ## No one innocent is blamed
#
# A fourth wire, to a robot in the north that comes closer, is in no contradiction. It is not named. And of two
# contradictions one is named, not their sum: $y$ is an *extreme ray* of all Farkas vectors, in which no wire can be
# spared. Leave one of the named wires out, and the rest has a solution.

# %%
four = pull(0.6, azimuth=np.append(AZIMUTH, np.radians(90.0)), names=[*NAMES, "north"])
verdict = solvers.solve(four)
print(verdict.message)
assert verdict.farkas.y[3] == 0.0
for i in range(3):
    rest = np.delete(np.arange(4), i)
    without = solvers.LCP.from_wires(np.ones(2), four.wires.G[:, rest], four.wires.v_free, four.wires.bias[rest])
    print(f"without {four.names[i]}: {solvers.solve(without).status}")
    assert solvers.solve(without).solved

# %% [markdown]
# ## Every method, one verdict
#
# Some methods run off along the ray, some end on it, some just stop. None claims to have solved the problem: a guard looks
# at every answer, asks for a Farkas vector where there is none, and calls infeasible only what it has checked in numbers.

# %%
for method in solvers.available():
    answer = solvers.solve(four, method)
    print(f"{method:15} {answer.status}")
    assert not answer.solved
    if answer.status == "infeasible":
        assert np.allclose(four.wires.G @ answer.farkas.y, 0.0, atol=1e-9)
        assert answer.farkas.speed > 0

# %% [markdown]
# ## In a run
#
# Real robots are rarely in line with their wires, and a load has time to follow: tensions grow as wires straighten, until
# a step has no solution. What was computed until then is kept; the reason stands among the events, with the wires'
# names, the time and the speed.

# %%
pulled = scenarios.get("pulled-apart")
run = towsim.simulate(pulled.build(), **pulled.defaults)
print(run.events)
assert run.events.select("infeasible")

# %%
figure = swift_figure(7.5, 2.8)
axes = figure.add_subplot()
style(axes)
for wire in run["tension"].coords["wire"]:
    axes.plot(run.time, run["tension"].sel(wire=wire), label=str(wire))
axes.set(xlabel="time (s)", ylabel="tension (N)")
axes.legend(frameon=False, fontsize=8)
figure

# %% [markdown]
# ## Play
#
# Robots that you place yourself. Bring the three to one side of the load: now nothing can go wrong, since no tensions
# balance each other. That is the whole secret: **only wires that can be stretched against each other can contradict each
# other**.

# %% tags=["live"]
def place(east, others, a, b, c):
    azimuth = np.radians([a, b, c])
    return scene_and_velocities(pull(east, others, azimuth=azimuth, names=["first", "second", "third"]), azimuth)


explore(
    place,
    east=(-0.8, 0.8, 0.05, 0.2),
    others=(-0.8, 0.8, 0.05, -0.25),
    a=(0, 360, 10, 0),
    b=(0, 360, 10, 120),
    c=(0, 360, 10, 240),
)

# %% [markdown]
# How long a move of a slider takes until its picture is there (a tenth of a second feels immediate):

# %%
times = []
for east in np.linspace(-0.5, 0.7, 13):
    begin = process_time()
    picture(scene_and_velocities(pull(east)))
    times.append(process_time() - begin)
print(f"{1e3 * np.median(times):.0f} ms of processor time on the machine that ran this page, {1e3 * min(times):.0f} at least")
