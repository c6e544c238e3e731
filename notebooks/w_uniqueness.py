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
#
# $$ (z-z')^\mathsf{T} M (z-z') = (z-z')^\mathsf{T}(w-w') = -z^\mathsf{T}w' - z'^\mathsf{T}w \le 0, $$
#
# and a semidefinite $M$ leaves only $M(z-z') = 0$: **all solutions share $w$, and $v$ with it**. The impulses may still
# differ by anything that $G$ does not notice: internal forces that stretch the load and move nothing. They form a
# polytope,
#
# $$ \{\, z \ge 0 : M z = w - q,\; z_i = 0 \text{ where } w_i > 0 \,\}. $$
#
# This notebook builds such suspensions and looks at that set: its corners, its dimension, its middle, and what changes
# them.

# %%
# %matplotlib inline
from time import process_time

import numpy as np
import scenarios
import solvers
import towsim
from towsim.analysis import landings, shadow, suspension, uniqueness
from towsim.pictures.figures import colours, style, swift_figure
from towsim.pictures.polytope import plot_landings, plot_polytope
from towsim.pictures.redundancy import plot_uniqueness
from towsim.pictures.slider import Slider, explore, picture

STEP = 1e-3  # s; impulses divided by it are tensions

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
# Where do the two stretching forces come from? A wire's pull on the box is a force and a torque: a column of six numbers,
# and $G$ has eight such columns. Eight vectors of six numbers cannot be independent; two combinations of tensions at
# least pull on nothing at all. **The dimension of what stays open is the number of taut wires minus the rank of $G$.**

# %%
G = problem.wires.G
rank = np.linalg.matrix_rank(G, tol=1e-9)
print(f"G is {G.shape[0]} x {G.shape[1]}, its rank {rank}")
assert analysis.w_unique
assert analysis.null_space.shape[1] == 8 - rank == 2
assert np.allclose(G @ analysis.null_space, 0.0)  # stretching forces: no force, no torque
print(analysis.table())

# %% [markdown]
# The columns *stretch 1* and *stretch 2* are the two internal forces, *min* and *max* the range of each wire's impulse
# (N s, in a step of 1 ms) over all solutions.
#
# ## The polytope, and its middle
#
# Tensions cannot be negative. Of the plane that the two stretching forces span, this leaves a polygon. At its corners at
# least two tensions are zero; here, where everything is symmetric, even four. The other wires would hold the box alone.

# %%
found = solvers.polytope(problem, solution)
print("tensions at the corners (N):")
print((found.vertices / STEP).round(3) + 0.0)
plot_polytope(found, step=STEP)

# %%
for z in found.vertices:
    assert problem.residual(z) < 1e-12
    assert np.sum(z < 1e-12) == 4
    assert np.allclose(problem.w(z), solution.w, atol=1e-15)
    assert np.allclose(problem.wires.velocity(z), solution.v, atol=1e-12)
mixed = np.array([0.1, 0.2, 0.3, 0.4]) @ found.vertices
print(f"{len(found.vertices)} corners share w and v; so does what lies between: residual {problem.residual(mixed):.1e}")
assert problem.residual(mixed) < 1e-12

# %% [markdown]
# The orange circle is the largest that fits in, and its centre, the *Chebyshev centre*, is a good answer to the question
# which of all these tensions one would like to have: no wire is near to going slack. A solver does not care. A corner is as
# right for it as the middle.

# %%
print(found)
print(f"least tension at the centre {found.centre.min() / STEP:.3f} N, at a corner {found.vertices.min() / STEP:.3f} N")
assert found.centre.min() > 0
# The distance to the face z_i = 0, within the plane of the polygon, is z_i over the length of the i-th row of its basis.
N = np.linalg.qr(analysis.null_space)[0]
assert np.all(found.centre >= found.radius * np.linalg.norm(N, axis=1) - 1e-12)

# %% [markdown]
# ## Every back-end, one motion
#
# The same problem with all back-ends, and with projected Gauss–Seidel (`pgs`) from twelve random starts. The distances
# of $w$ and $v$ from the reference are rounding errors. The impulses are not even similar.

# %%
landed = landings(problem)
solved = [one for one in landed.found if one.status == "solved"]
print(f"{len(solved)} answers, w within {max(one.distance_w for one in solved):.1e} m/s of each other")
assert max(one.distance_w for one in solved) < 1e-9
assert max(np.ptp([one.z for one in solved], axis=0)) > 1e-3
landed

# %% [markdown]
# The set of all solutions in the plane of two wires. Pivoting methods (`lemke`, `active-set`) stop at a corner,
# projected Gauss–Seidel stays near wherever it started, interior-point methods end inside. The cross is the solution
# of least norm.

# %%
plot_landings(landed, shadow(problem, landed.analysis))

# %% [markdown]
# ## $n$ wires
#
# Up to six wires in general position leave nothing open. Every further one adds a dimension to the set of tensions,
# and none to the motion.


# %%
def hung(wires=8, **parameters):
    """(problem, polytope of its solutions) of a box on so many wires."""
    problem = towsim.step_problem(suspension(wires, **parameters))
    return problem, solvers.polytope(problem, solvers.solve(problem))


for wires in range(2, 13):
    problem, found = hung(wires)
    rank = np.linalg.matrix_rank(problem.wires.G, tol=1e-9)
    print(f"{wires:2} wires: rank {rank}, dimension {found.dimension}, {len(found.vertices):2} corners, radius {found.radius / STEP:.2f} N")
    assert rank == min(wires, 6)
    assert found.dimension == wires - rank

# %% [markdown]
# From three dimensions on the picture is a shadow: the set in the plane in which it is widest.

# %%
Slider(lambda wires: plot_polytope(hung(wires)[1], step=STEP), range(6, 11), label="wires", start=8)

# %% [markdown]
# ## What changes the set, and what does not
#
# **Inertia does not**, as long as the box is at rest. What holds it is $G z = -\mathcal{M} v_\text{free}$: the impulses
# balance the weight in this step, $h\, m\, g$, and moments of inertia do not occur in that.

# %%
sets = [hung(8, inertia=factor)[1] for factor in (0.1, 1.0, 10.0)]
for one in sets:
    assert np.allclose(sorted(map(tuple, one.vertices.round(12))), sorted(map(tuple, sets[1].vertices.round(12))), atol=1e-12)
print("the same four corners with a tenth and with ten times the inertia")

# %% [markdown]
# **Lean does.** Let all wires lean to one side together. As long as the weight lies in the cone of what the wires can
# pull, the box stays where it is, but the polygon shrinks: some wires must bear more, others can bear less. At a
# certain lean the polygon is a point, and beyond it is not the tensions that change: the box begins to *move*, and wires go
# slack.

# %%
Slider(lambda lean: plot_polytope(hung(8, lean=lean)[1], step=STEP, size=8.5), np.arange(0.0, 13.0, 1.5), label="lean (deg)")

# %%
low, high = 0.0, 20.0
while high - low > 1e-3:
    middle = 0.5 * (low + high)
    low, high = (middle, high) if hung(8, lean=middle)[1].dimension == 2 else (low, middle)
print(f"the set is a polygon up to a lean of {low:.2f}°")
for lean in (low - 0.1, high + 0.1):
    problem, found = hung(8, lean=lean)
    w = problem.w(found.centre)
    print(f"at {lean:.2f}°: dimension {found.dimension}, {np.sum(w < 1e-9)} wires taut, speed {np.abs(problem.wires.velocity(found.centre)).max():.1e}")

# %% [markdown]
# Once the box moves, inertia counts: with the same lean, $w$ is another number for another inertia. It is still *unique*.

# %%
for factor in (0.1, 1.0, 10.0):
    problem, found = hung(8, lean=12.0, inertia=factor)
    w = problem.w(found.centre)
    print(f"inertia x {factor:4}: dimension {found.dimension}, largest w = {1e3 * w.max():.4f} mm/s")
    assert solvers.analyse(problem, solvers.solve(problem)).w_unique

# %% [markdown]
# **Twist changes the rank.** Each wire is turned out of the radial direction by plus or minus the twist. Without twist the
# lines of all wires meet in one point below the box. None of them has a torque about that point: three of the
# six rows of $G$ are lost, and nothing but the position of that point is held. The dimension jumps from two to five. An
# angle of one degree is enough to have the rank back, on paper: how well the box is held is told by the least singular
# value, which falls to zero in proportion to the twist.

# %%
problem, found = hung(8, twist=0.0)
print(f"twist 0: rank {np.linalg.matrix_rank(problem.wires.G, tol=1e-9)}, dimension {found.dimension}, {len(found.vertices)} corners")
assert found.dimension == 5
# Torques about the middle of the box of a force d through a point at height a on its axis: a e_z x d.
force, torque = problem.wires.G[:3], problem.wires.G[3:]
height = np.linalg.lstsq(np.cross([0.0, 0.0, 1.0], force.T).ravel()[:, None], torque.T.ravel(), rcond=None)[0][0]
print(f"all lines meet {-height:.4f} m below the middle of the box")
assert np.allclose(torque.T, height * np.cross([0.0, 0.0, 1.0], force.T), atol=1e-12)

twists = np.linspace(0.0, 80.0, 21)
singular = []
for twist in twists:
    wires = towsim.step_problem(suspension(8, twist=float(twist))).wires
    singular.append(np.linalg.svd(wires.G / np.linalg.norm(wires.G, axis=0), compute_uv=False))
singular = np.array(singular)
assert np.allclose(singular[0, 3:], 0.0, atol=1e-12)
assert np.all(singular[1:, 5] > 1e-4)

figure = swift_figure(7.5, 3.2)
axes = figure.add_subplot()
style(axes)
for values, colour in zip(singular.T, colours(6), strict=True):
    axes.plot(twists, values, color=colour)
axes.set(xlabel="twist (deg)", title="singular values of the wires' directions: three are zero without twist")
axes.title.set_fontsize(9)
figure

# %% [markdown]
# The same happens wherever lines of pull have something in common: parallel wires (no torque about their direction, no force across
# it), wires in one plane, wires to one point. A rank that drops is not a matter of numbers but of **a motion that no wire
# feels**.

# %%
for what, parameters in {"in general": {}, "no twist": {"twist": 0.0}, "vertical": {"slope": 0.0}}.items():
    G = towsim.step_problem(suspension(8, **parameters)).wires.G
    U, S, _ = np.linalg.svd(G)
    unfelt = U[:, int(np.sum(S > 1e-9)):]
    print(f"{what:11} rank {6 - unfelt.shape[1]}: {unfelt.shape[1]} motions that no wire feels")
    assert np.allclose(G.T @ unfelt, 0.0, atol=1e-12)

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
# And when robots contradict each other, there is no solution at all: the notebook `infeasible_pulls` is about that.
#
# ## Build one yourself
#
# Two, three or five wires do not hold the box in balance, unless the twist is zero. Watch the number of corners when the
# lean goes over its limit.


# %% tags=["live"]
def build(wires, spread, slope, twist, lean, inertia):
    return plot_polytope(hung(wires, spread=spread, slope=slope, twist=twist, lean=lean, inertia=inertia)[1], step=STEP)


explore(
    build,
    wires=(2, 12, 1, 8),
    spread=(0.05, 0.5, 0.05, 0.2),
    slope=(5.0, 60.0, 5.0, 20.0),
    twist=(0.0, 80.0, 5.0, 40.0),
    lean=(0.0, 30.0, 1.0, 0.0),
    inertia=(0.1, 10.0, 0.1, 1.0),
)

# %% [markdown]
# How long a move of a slider takes until its picture is there (a tenth of a second feels immediate):

# %%
times = []
for lean in range(12):
    begin = process_time()
    picture(plot_polytope(hung(8, lean=float(lean))[1], step=STEP))
    times.append(process_time() - begin)
print(f"{1e3 * np.median(times):.0f} ms of processor time on the machine that ran this page, {1e3 * min(times):.0f} at least")
