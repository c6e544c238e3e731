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
# # One motion, written in several ways
#
# A tree of links and joints moves in one way only. Its equations can be written in many:
#
# | formulation | unknowns | joints | cost of the rates |
# |---|---|---|---|
# | reduced | joint coordinates $q$ and rates $u$: $M(q)\,\dot u = X^\mathsf{T}(F - \mathcal{M}\dot X u - \dot{\mathcal{M}} X u)$ | built in | $O(n)$ by recursion |
# | momentum | $q$ and joint momenta $p = M(q)\,u$ | built in | $O(n)$ by recursion |
# | kkt | all links free, reactions as unknowns: $J\dot v + \gamma = 0$ | at acceleration level: they drift | $O(n^3)$ |
# | rsslm | pieces in reduced coordinates, multipliers where they were cut | the cut ones drift | between the two |
# | stewart-trinkle, shake | all links free, impulses over a step; wires and contacts as well | at velocity or position level | one problem a step |
#
# What is right in all of them is right.

# %%
# %matplotlib inline
import numpy as np
from matplotlib.figure import Figure

from towsim.formulations import Kkt, Mass, MomentumStates, Reduced, ReducedSystem, Rsslm, case, compare, drift, scene_tree
from towsim.formulations.measures import momentum
from towsim.pictures.figures import style
from towsim.pictures.formulations import plot_comparison


def axes(x, y):
    figure = Figure(figsize=(6.5, 3.6), layout="constrained")
    ax = figure.subplots()
    style(ax)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    return figure, ax


# %% [markdown]
# ## The same chain
#
# Three rods on ball joints. Every formulation runs with steps $h$, $h/2$, $h/4$; the reference is the reduced one with
# an adaptive solver. Lines of slope −4 are Runge–Kutta's order: its errors are the same wherever joints are built in.

# %%
found = compare(case("chain"), ["reduced", "momentum", "kkt", "kkt-projection", "rsslm"], duration=0.5)
print(f"refined, all agree within {max(row.refined for row in found.rows):.1e} m")
plot_comparison(found)

# %% [markdown]
# ## Reduced coordinates from any map
#
# Say where things are as functions of coordinates, and the rest follows: $v = X\dot q$ with $X = \partial x/\partial q$
# by exact differentiation, reactions drop out of $X^\mathsf{T}F$ (virtual work). A bead on a hoop that spins:

# %%
spin, radius = 5.0, 0.8


def place(q, t):
    out = radius * np.sin(q[0])
    return [np.array([out * np.cos(spin * t), out * np.sin(spin * t), -radius * np.cos(q[0])])]


figure, ax = axes("time, s", "angle of the bead, rad")
for start in (0.2, 0.8, 1.4):
    bead = ReducedSystem([Mass(0.2)], place, start=[start]).adaptive(np.linspace(0.0, 4.0, 200))
    ax.plot(bead.time, bead.state[:, 0])
ax.axhline(np.arccos(9.81 / (spin**2 * radius)), color="k", linestyle=":", label=r"$\cos\theta = g/(\omega^2 r)$")
ax.legend(frameon=False)
figure

# %% [markdown]
# ## Drift
#
# At acceleration level the joints are told to keep $\ddot\varphi = 0$, and nothing tells them where to be: a steady
# error $\varepsilon$ of the integrator opens them by $\frac12\varepsilon t^2$. Baumgarte's terms
# $\ddot\varphi + 2\alpha\dot\varphi + \alpha^2\varphi = 0$ bound it, projection removes it, and in reduced coordinates
# there is nothing that could open.

# %%
swing = scene_tree(case("chain", n=1)).tree
figure, ax = axes("time, s", "opening of the joint, m")
for name, system in {
    "kkt": Kkt(swing),
    "kkt, baumgarte": Kkt(swing, "baumgarte"),
    "kkt, projection": Kkt(swing, "projection"),
    "reduced": Reduced(swing),
}.items():
    run = system.run(20.0, 0.01, every=20)
    ax.loglog(run.time[1:], np.maximum(drift(swing, run)[1:], 1e-17), label=name)
ax.loglog(run.time[1:], 1e-7 * run.time[1:] ** 2, "k:", label=r"slope $t^2$")
ax.legend(frameon=False, fontsize=8)
figure

# %% [markdown]
# ## Momenta as states
#
# The momentum $p_k$ of a joint is what all that hangs on it contributes along its axis. Its rate needs no acceleration:
# external forces, and the turning of the axis. A slider on a boom with a vertical axis: the boom's angular momentum is a
# state whose rate is zero, so it does not change by one bit, while its angular velocity does.

# %%
arm = scene_tree(case("spring-arm")).tree
run = MomentumStates(arm).run(4.0, 0.01)
h = run.state[:, arm.nq]
print(f"angular momentum: {h.min():.17g} .. {h.max():.17g} kg m²/s")
print(f"seen from the links: within {np.ptp(momentum(arm, run)[1][:, 2]):.1e} kg m²/s")
figure, ax = axes("time, s", "")
ax.plot(run.time, run.spin[:, 0, 2], label="angular velocity of the arm, rad/s")
ax.plot(run.time, run.state[:, 1], label="place of the mass on it, m")
ax.plot(run.time, run.state[:, arm.nq + 1], label="its linear momentum along the arm, kg m/s")
ax.legend(frameon=False, fontsize=8)
figure

# %% [markdown]
# ## Cost
#
# Recursions cost the same for every link of a chain, however long it is; a dense system of all links and reactions
# does not.

# %%
figure, ax = axes("number of rods", "µs a step and rod")
for name, kind, sizes in (
    ("reduced", Reduced, (2, 4, 8, 16, 32, 64)),
    ("momentum", MomentumStates, (2, 4, 8, 16, 32, 64)),
    ("rsslm, one cut", Rsslm, (2, 4, 8, 16, 32)),
    ("kkt", Kkt, (2, 4, 8, 16, 32)),
):
    costs = []
    for n in sizes:
        system = kind(scene_tree(case("chain", n=n)).tree)
        runs = [system.run(0.01, 1e-3, every=10) for _ in range(3)]
        costs.append(1e6 * min(run.seconds / run.steps for run in runs) / n)
    ax.loglog(sizes, costs, "o-", markersize=3, label=name)
ax.set_xticks([2, 4, 8, 16, 32, 64], labels=["2", "4", "8", "16", "32", "64"])
ax.minorticks_off()
ax.legend(frameon=False, fontsize=8)
figure
