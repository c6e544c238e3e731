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
# # One problem, many solvers
#
# Each time step is a linear complementarity problem. All back-ends answer to the same guard: it scales the problem,
# polishes the answer, recomputes $w = Mz + q$ and judges the residual; only then is a problem called solved.

# %%
# %matplotlib inline
import scenarios
import solvers
import towsim
from towsim.analysis import suspension
from towsim.scene import Scene

problem = towsim.step_problem(suspension(8))  # a box at rest on eight wires
print(f"{'method':>16} {'status':>16} {'residual':>9} {'iterations':>10}   impulses (N s)")
for method in solvers.available():
    solution = solvers.solve(problem, method)
    shown = " ".join(f"{z:7.4f}" for z in solution.z[:4]) if solution.status == "solved" else ""
    print(f"{method:>16} {solution.status:>16} {solution.residual:9.1e} {solution.iterations:10d}   {shown}")

# %% [markdown]
# The impulses differ, the rates *w* (and with them the motion) do not: eight wires hold six freedoms. See the notebook
# `w_uniqueness` for what is and what is not determined.
#
# ## Where the simple method ends
#
# Projected Gauss–Seidel passes one row's change on to its neighbours once a sweep. On a chain of loads the news
# travels one link a sweep, and the number of sweeps grows with the square of its length.

# %%
import time

for loads in (2, 5, 10, 20):
    chain = towsim.step_problem(scenarios.get("payload-chain").build(n=loads), time=0.1)
    row = [f"{loads:3d} loads"]
    for method in ("pgs", "lemke", "active-set"):
        start = time.perf_counter()
        solution = solvers.solve(chain, method)
        row.append(f"{method} {solution.status:>15} {solution.iterations:6d} it {1e3 * (time.perf_counter() - start):7.2f} ms")
    print("   ".join(row))

# %% [markdown]
# ## Problems without a solution
#
# Two robots that pull a load apart leave no solution, and a solver that says so should prove it: a vector $y \ge 0$ with
# $M^\mathsf{T} y \le 0$ and $q^\mathsf{T} y < 0$ (Farkas). The guard checks that vector before it believes it.

# %%
apart = Scene(
    gravity=(0, 0, 0),
    bodies={"load": {"mass": 1.0, "point": True}},
    robots={
        "left": {"motion": {"formula": {"x": "-1 - 0.5*t", "y": 0, "z": 0}}},
        "right": {"motion": {"formula": {"x": "1 + 0.5*t", "y": 0, "z": 0}}},
    },
    wires={
        "left": {"from": "load", "to": "left", "length": 1.0},
        "right": {"from": "load", "to": "right", "length": 1.0},
    },
)
for method in ("auto", "lemke", "pgs"):
    solution = solvers.solve(towsim.step_problem(apart), method)
    print(f"{method}: {solution.status}. {solution.message}")
