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
import numpy as np
import scenarios
import solvers
import towsim
from solvers.bench.plot import plot_profile
from towsim.analysis import suspension
from towsim.scene import Scene
from towsim.pictures.figures import colours, new_figure, style

problem = towsim.step_problem(suspension(8))  # a box at rest on eight wires
answers = {method: solvers.solve(problem, method) for method in solvers.available()}
print(f"{'method':>16} {'status':>8} {'unpolished':>10} {'residual':>9} {'iterations':>10}   impulses (mN s)")
for method, one in answers.items():
    shown = " ".join(f"{1e3 * z:5.2f}" for z in one.z[:4])
    print(f"{method:>16} {one.status:>8} {one.unpolished:10.1e} {one.residual:9.1e} {one.iterations:10d}   {shown}")
    assert one.solved
    assert np.allclose(one.w, answers["auto"].w, atol=1e-12)

# %% [markdown]
# The impulses differ, the rates *w* (and with them the motion) do not: eight wires hold six freedoms. See the notebook
# `w_uniqueness` for what is and what is not determined. *Unpolished* is the residual of the method's own answer, before the
# guard solved once more on its active set.
#
# ## Where the simple method ends
#
# Projected Gauss–Seidel passes one row's change on to its neighbours once a sweep. On a chain of loads the news
# travels one link a sweep, and the number of sweeps grows with the square of its length: twice the loads, four times the
# sweeps. Pivoting methods solve a system in each iteration and do not care.

# %%
chains = {n: towsim.step_problem(scenarios.get("payload-chain").build(n=n), time=0.1) for n in (5, 10, 20)}
sweeps = {}
for n, chain in chains.items():
    row = [f"{n:3d} loads"]
    for method in ("pgs", "lemke", "active-set"):
        solution = solvers.solve(chain, method)
        assert solution.solved
        row.append(f"{method} {solution.iterations:5d} iterations")
        if method == "pgs":
            sweeps[n] = solution.iterations
    print("   ".join(row))
assert 3.5 < sweeps[10] / sweeps[5] < 4.5
assert 3.5 < sweeps[20] / sweeps[10] < 4.5

# %% [markdown]
# ## Watching them
#
# With `log=True` a method keeps a table of what it did. Gauss–Seidel converges *linearly*: each sweep takes the same share of
# the error away, a straight line in this picture. Going too far on purpose (`relaxation` between 1 and 2) makes it steeper,
# up to a point. Newton's method converges *quadratically*: the number of right digits doubles.

# %%
figure = new_figure(7.5, 3.4)
axes = figure.add_subplot()
style(axes)
names = ("pgs", "pgs:relaxation=1.4", "pgs:relaxation=1.8", "newton")
for name, colour in zip(names, colours(4), strict=True):
    log = solvers.solve(chains[10], name, log=True).log
    axes.semilogy(np.arange(1, len(log) + 1), np.maximum(log["residual"], 1e-16), color=colour, label=f"{name}: {len(log)}")
axes.set(xlabel="iterations", ylabel="residual", xlim=(0, 400), ylim=(1e-13, 2))
axes.legend(frameon=False, fontsize=8)
figure

# %%
slow, fast = (solvers.solve(chains[10], "pgs", log=True, relaxation=r).log["residual"] for r in (1.0, 1.8))
rate = slow[-1] / slow[-2]
print(f"each sweep leaves {rate:.4f} of the residual; {np.log(1e-10) / np.log(rate):.0f} sweeps for ten digits")
assert len(fast) < len(slow) / 3
print(solvers.solve(chains[10], "newton", log=True).log)

# %% [markdown]
# ## Measuring them
#
# `solvers.benchmark` measures methods, and functions of your own, on families of problems; `towsim bench` does it from the
# command line. *time* is a call from Python, *algorithm* the time in the method itself.

# %%
def jacobi(M, q, *, sweeps=400):
    """One's own in a line: all rows at once, half of the way."""
    z = np.zeros_like(q)
    for _ in range(sweeps):
        z = np.maximum(0.0, z - 0.5 * (M @ z + q) / np.diag(M))
    return z, sweeps


problems = {f"chain/{n}": chain for n, chain in chains.items()} | {f"box/{n}": towsim.step_problem(suspension(n)) for n in (4, 6, 8)}
report = solvers.benchmark(problems, ["active-set", "lemke", "pgs", "pgs:relaxation=1.8", "newton", jacobi], repeats=3)
print(report.summary())
assert report.honest
plot_profile(report)

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
    assert solution.status == "infeasible"
    print(f"{method}: {solution.status}. {solution.message}")
