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
# # The motion is unique, the tensions need not be
#
# A wire pulls or hangs slack. One time step of a load on wires is therefore a linear complementarity problem,
#
# $$ w = M z + q, \qquad 0 \le w \perp z \ge 0, \qquad M = G^\mathsf{T} \mathcal{M}^{-1} G $$
#
# with one row per wire: $z_i$ is the impulse of wire $i$ in this step, $w_i$ the rate at which it slackens after it.
# $\mathcal{M}$ is the inertia of the loads, $G$ holds the directions in which the wires pull, and the velocity after
# the step is $v = v_\text{free} + \mathcal{M}^{-1} G z$.
#
# $M$ is symmetric and positive semidefinite. If $z$ and $z'$ are both solutions, then
# $(z-z')^\mathsf{T} M (z-z') = (z-z')^\mathsf{T}(w-w') = -z^\mathsf{T}w' - z'^\mathsf{T}w \le 0$,
# and a semidefinite $M$ leaves only $M(z-z') = 0$: **all solutions share $w$, and $v$ with it**. The impulses may still
# differ by anything that $G$ does not notice: internal forces that stretch the load and move nothing. They form a
# polytope,
#
# $$ \{\, z \ge 0 : M z = w - q,\; z_i = 0 \text{ where } w_i > 0 \,\}. $$
#
# This notebook builds such suspensions and looks at that set.

# %%
# %matplotlib inline
from ipywidgets import FloatSlider, IntSlider, interact

import scenarios
import solvers
import towsim
from IPython.display import display
from towsim.analysis import landings, shadow, suspension, uniqueness
from towsim.view.polytope import plot_landings
from towsim.view.redundancy import plot_uniqueness

# %% [markdown]
# ## Eight wires, six degrees of freedom
#
# A box hangs at rest on eight wires. `step_problem` hands out the problem of the first step, `solve` answers it, and
# `analyse` says what the answer leaves open.

# %%
problem = towsim.step_problem(suspension(8))
solution = solvers.solve(problem)
analysis = solvers.analyse(problem, solution)
print(analysis)

# %% [markdown]
# The columns *stretch 1* and *stretch 2* are the two internal forces, *min* and *max* the range of each wire's impulse
# (N s, in a step of 1 ms) over all solutions.

# %%
print(analysis.table())

# %% [markdown]
# ## Every back-end, one motion
#
# The same problem with all back-ends, and with projected Gauss–Seidel (`pgs`) from twelve random starts. The distances
# of $w$ and $v$ from the reference are rounding errors. The impulses are not even similar.

# %%
found = landings(problem)
found

# %% [markdown]
# The set of all solutions in the plane of two wires. Pivoting methods (`lemke`, `active-set`) stop at a corner,
# projected Gauss–Seidel stays near wherever it started, interior-point methods end inside. The cross is the solution
# of least norm, the middle that an engineer would choose.

# %%
plot_landings(found, shadow(problem, found.analysis))

# %% [markdown]
# ## Build one yourself
#
# Up to six wires in general position leave nothing open. Every further one adds a dimension to the set of tensions,
# and none to the motion. Change the inertia, and the impulses stay (the box is at rest); let all wires lean, and the
# box begins to move, with fewer wires taut. Two, three or five wires do not hold it in balance either, unless the twist
# is zero.


# %%
@interact(
    wires=IntSlider(8, 2, 12),
    spread=FloatSlider(0.2, min=0.05, max=0.5, step=0.05),
    slope=FloatSlider(20.0, min=5.0, max=60.0, step=5.0),
    twist=FloatSlider(40.0, min=0.0, max=80.0, step=5.0),
    lean=FloatSlider(0.0, min=0.0, max=30.0, step=5.0),
    inertia=FloatSlider(1.0, min=0.1, max=10.0, step=0.1),
)
def explore(wires, spread, slope, twist, lean, inertia):
    scene = suspension(wires, spread=spread, slope=slope, twist=twist, lean=lean, inertia=inertia)
    problem = towsim.step_problem(scene)
    found = landings(problem)
    display(found, plot_landings(found, shadow(problem, found.analysis)))


# %% [markdown]
# ## Along a whole run
#
# Eight robots lift a box and carry it away. The shaded band is what each wire's tension could have been at that
# instant with exactly the same motion. The recorded tensions jump between corners of that set; the motion does not.

# %%
eight = scenarios.get("eight-wires-box")
result = towsim.simulate(eight.build(), **(eight.defaults | {"method": "shake"}))
along = uniqueness(result, every=100)
along

# %%
plot_uniqueness(along)

# %% [markdown]
# ## When robots contradict each other
#
# A load of 1 kg between two robots that drive apart, at 0.5 and 0.25 m/s, on wires that are taut already. No motion of
# the load can satisfy both. The proof is a vector $y \ge 0$ with $G y = 0$ and $q^\mathsf{T} y < 0$ (Farkas): tensions
# that balance each other, while the ends of their wires are driven apart.

# %%
apart = solvers.LCP.from_wires([1.0], [[1.0, -1.0]], [0.0], [-0.5, -0.25], names=["left", "right"])
refused = solvers.solve(apart)
print(refused.status, "-", refused.message)
print("y =", refused.farkas.y, "  G y =", apart.wires.G @ refused.farkas.y, "  -q·y =", refused.farkas.speed, "m/s")

# %% [markdown]
# No back-end claims to have solved it; where one says *infeasible*, the proof was checked.

# %%
for method in solvers.available():
    answer = solvers.solve(apart, method)
    print(f"{method:15}", answer.status)

# %% [markdown]
# In a simulation the robots need not be in line. Tensions grow as the wires straighten, until a step is refused; what
# was computed until then is kept, and the reason stands in the events.

# %%
pulled = scenarios.get("pulled-apart")
run = towsim.simulate(pulled.build(), **pulled.defaults)
print(run.summary())
print(run.events)
