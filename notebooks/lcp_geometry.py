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
# # A complementarity problem that one can see
#
# Two wires, two rows: a linear complementarity problem of that size lives in a plane, and everything that is said of
# large ones in theorems can be pointed at there: why some have one solution and others two or none, what a class of
# matrices is good for, and which way Lemke's method goes.
#
# Find $z$ with
#
# $$ w = M z + q, \qquad w \ge 0, \qquad z \ge 0, \qquad z_1 w_1 = z_2 w_2 = 0. $$
#
# Read it from the other side: $q = I w - M z$. For each row either $w_i$ or $z_i$ is zero, so **$q$ is put together,
# with factors that are not negative, from one column of each pair**, $e_1$ or $-M_1$, and $e_2$ or $-M_2$. Four choices
# make four cones, the *complementary cones*. To solve the problem is to find a cone in which $q$ lies; the factors are
# then $w$ and $z$.

# %%
# %matplotlib inline
from time import process_time

import numpy as np
import solvers
from towsim.pictures.cones import NAMES, cones, draw_cones
from towsim.pictures.figures import swift_figure
from towsim.pictures.slider import Slider, explore, picture


def solutions(M, q):
    """(choice, w and z of it) of every cone that q lies in, by solving for the factors."""
    found = []
    for choice, C in cones(M).items():
        if abs(np.linalg.det(C)) > 1e-9:
            factors = np.linalg.solve(C, q)
            if factors.min() >= -1e-12:
                found.append((choice, factors))
    return found


def on_circle(angle, radius=1.98):
    return radius * np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])


# %% [markdown]
# Take two wires that pull a load in directions which partly agree, $M = \begin{pmatrix}1 & 0.5\\ 0.5 & 1\end{pmatrix}$,
# and a $q$ with both rates of slackening negative: if nothing pulled, both wires would become too long.

# %%
M, q = np.array([[1.0, 0.5], [0.5, 1.0]]), on_circle(212.0)
figure = swift_figure(4.6, 4.4)
draw_cones(figure.add_subplot(), M, q=q)
figure

# %% [markdown]
# The point lies in the cone of $-M_1$ and $-M_2$, and its factors are the two impulses. `solvers.solve` finds the same,
# of course, by other means.

# %%
[(choice, factors)] = solutions(M, q)
print(NAMES[choice], factors)
assert np.allclose(solvers.solve(M, q).z, factors)

# %% [markdown]
# ## Move $q$
#
# Only the direction of $q$ decides who pulls. Let it go round: the cones lie side by side and fill the plane, without
# gaps and without overlaps. So there is one solution, whatever $q$ is.


# %%
def pulled(angle, matrix=M):
    figure = swift_figure(4.6, 4.6)
    axes = figure.add_subplot()
    draw_cones(axes, matrix, q=on_circle(angle))
    names = [NAMES[choice] for choice, _ in solutions(matrix, on_circle(angle))]
    axes.set_title(f"solutions: {len(names)}   {', '.join(names)}", fontsize=9, y=1.03)
    return figure


Slider(pulled, range(15, 375, 20), label="direction of q (deg)", start=215)

# %% [markdown]
# That the cones of a matrix tile the plane for *every* $q$ is a property of $M$ alone: it is a **P-matrix**, one whose
# principal minors are all positive (Samelson, Thrall & Wesler 1958). Here are the two ways to know, once by looking at
# a thousand directions and once by the minors.


# %%
def counts(M):
    """The numbers of solutions that occur as q goes round, borders left out."""
    return sorted({len(solutions(M, on_circle(angle))) for angle in np.arange(0.05, 360.0, 0.36)})


print(f"numbers of solutions over all directions: {counts(M)}, P-matrix: {solvers.classify(M).p}")
assert counts(M) == [1]
assert solvers.classify(M).p

# %% [markdown]
# ## Six matrices, six plane geometries
#
# | | what it is | where one meets it |
# |---|---|---|
# | acute | P, off-diagonal positive | two wires that pull partly the same way: one pulling spares the other |
# | obtuse | P, off-diagonal negative | two wires that pull against each other: one pulling makes the other pull more |
# | opposed | semidefinite, singular | the same wire twice, from opposite sides |
# | two answers | not P: the minor $1 - 4$ is negative | coefficients of friction, beyond a limit |
# | skew | $M = -M^\mathsf{T}$ | linear programs, matrix games |
# | negative | all minors of order one negative | Painlevé's rod |
#
# Where the diagonal and the determinant are positive the cones tile the plane; where one of these is negative neighbours
# fold over each other.

# %%
matrices = {
    "acute": [[1.0, 0.5], [0.5, 1.0]],
    "obtuse": [[1.0, -0.7], [-0.7, 1.0]],
    "opposed": [[1.0, -1.0], [-1.0, 1.0]],
    "two answers": [[1.0, 2.0], [2.0, 1.0]],
    "skew": [[0.0, 1.0], [-1.0, 0.0]],
    "negative": [[-1.0, 0.3], [0.3, -1.0]],
}
figure = swift_figure(10.2, 7.0)
figure.subplots_adjust(wspace=0.25, hspace=0.25)
for axes, (name, table) in zip(figure.subplots(2, 3).ravel(), matrices.items(), strict=True):
    draw_cones(axes, np.array(table))
    axes.set_title(f"{name}: solutions {', '.join(map(str, counts(table)))}", fontsize=9, y=1.03)
figure

# %% [markdown]
# What the pictures show, the classes of matrices say in general. One line for each: whether there is one solution for
# every $q$ (P), whether all solutions share $w$ (column adequate), whether a ray of Lemke's method proves that there is
# none (copositive-plus).

# %%
for name, table in matrices.items():
    kind = solvers.classify(table)
    print(f"{name:12} solutions {counts(table)!s:10} P {kind.p!s:6} w unique {kind.column_adequate!s:6} copositive-plus {kind.copositive_plus}")
    assert (counts(table) == [1]) == bool(kind.p)

# %% [markdown]
# Two of them deserve a second look.
#
# *Opposed* wires have half a plane without any cone: there $q_1 + q_2 < 0$, the two ends are driven apart, and no
# impulse helps. On the border, the line $q_1 + q_2 = 0$, the cone "both pull" has no inside: infinitely many $z$ make
# the same $q$. But all of them have $w = 0$. For a symmetric semidefinite matrix **that is the only way to have more
# than one solution: $z$ may differ, $w$ may not**.

# %%
M = np.array(matrices["opposed"])
q = np.array([-1.0, 1.0])
for t in (0.0, 1.0, 7.0):
    z = np.array([1.0 + t, t])
    print(f"z = {z}, w = {M @ z + q}")
    assert np.allclose(M @ z + q, 0.0)
refused = solvers.solve(M, [-1.0, 0.5])
print(refused.status, "-", refused.message)
assert refused.status == "infeasible"

# %% [markdown]
# *Two answers* is symmetric but not semidefinite. In the overlap three cones lie on each other, so there are three
# solutions, and their $w$ differ. A matrix that is not column adequate always has such a $q$, and `classify` can
# name one:

# %%
problem, one, other = solvers.classify(matrices["two answers"]).two_solutions()
print("q =", problem.q)
for z in (one, other):
    print("z =", z, " w =", problem.w(z), " residual", problem.residual(z))
    assert problem.residual(z) < 1e-12
assert not np.allclose(problem.w(one), problem.w(other))

# %% [markdown]
# ## The way of Lemke's method
#
# How does one find the cone without trying all of them? There are $2^n$. Lemke's idea: add an artificial variable,
# $w = M z + q + z_0 d$ with $d = (1, 1)$. For a large $z_0$ the point $q + z_0 d$ lies deep in the cone "both slack",
# where the solution is known. Now let $z_0$ fall. The point moves straight towards $q$, and each time it crosses the
# border of a cone, one variable becomes zero: its complement takes over, and we are in the neighbouring cone. That is a
# *pivot*. When $z_0 = 0$, the point has arrived.

# %%
M, q = np.array(matrices["acute"]), on_circle(214.0)
problem = solvers.LCP(M, q, names=["1", "2"])
solution = solvers.solve(problem, "lemke", log=True)
solution.log

# %% [markdown]
# The first pivot brings $z_0$ in, as large as it has to be, and the last one drives it out. In between stand the borders
# that are crossed. Here they are in the plane:

# %%
unit = problem.scaled.size.max()  # the solver's unit of q, a power of two
z0 = unit * solution.log["z0"]
crossings = q + z0[:, None]  # q + z0 d
assert np.isclose(crossings[0].min(), 0.0)  # the first point lies on the border of "both slack"
assert np.allclose(crossings[-1], q)


def lemke(t):
    """The way from z0 = 1.5 times its first value; t from 0 to 1."""
    far = 1.5 * z0[0]
    point = q + (1.0 - t) * far
    figure = swift_figure(4.8, 4.8)
    axes = figure.add_subplot()
    draw_cones(axes, M, size=2.2)
    axes.plot(*np.array([q + far, q]).T, color="0.6", linewidth=1, linestyle="--")
    axes.plot(*np.array([q + far, point]).T, color="black", linewidth=1.5)
    axes.plot(*crossings[:-1].T, "o", color="white", markeredgecolor="black", markersize=6)
    axes.plot(*q, "x", color="black", markersize=8)
    axes.plot(*point, "o", color="black", markersize=6)
    where = [NAMES[choice] for choice, _ in solutions(M, point)]
    axes.set_title(f"z₀ = {(1.0 - t) * far:.2f}: {' and '.join(where)}", fontsize=9, y=1.03)
    return figure


Slider(lemke, np.linspace(0.0, 1.0, 16).round(2), label="way towards q")

# %% [markdown]
# For a P-matrix $z_0$ falls with every pivot. Else the way may turn back: at a border behind which the cone is folded
# over, $z_0$ has to *grow* for a while. This takes three rows at least; here is such a problem.

# %%
assert np.all(np.diff(z0) < 0)
folded = solvers.solve([[1, -3, 2], [2, -2, 1], [0, -3, 3]], [1, -2, -4], "lemke", log=True)
print(folded.log)
assert folded.solved
assert folded.log["z0"][2] > folded.log["z0"][1]

# %% [markdown]
# And where there is no solution, as for opposed wires, the way does not end at $q$ but runs off along a ray. Of a
# copositive-plus matrix that ray is the proof: its $z$ is a $y \ge 0$ with $M^\mathsf{T} y \le 0$ and $q^\mathsf{T} y < 0$.

# %%
ray = solvers.solve(matrices["opposed"], [-1.0, 0.5], "lemke", log=True)
print(ray.log)
y = ray.farkas.y
print("y =", y, " M'y =", np.array(matrices["opposed"]).T @ y, " q·y =", np.array([-1.0, 0.5]) @ y)
assert np.allclose(np.array(matrices["opposed"]).T @ y, 0.0)
assert np.array([-1.0, 0.5]) @ y < 0

# %% [markdown]
# How long can such a way be? Murty (1978) found problems of $n$ rows in which it visits all $2^n$ cones:

# %%
for n in (2, 4, 8, 12):
    murty = np.eye(n) + 2 * np.tril(np.ones((n, n)), -1)
    solution = solvers.solve(murty, -np.ones(n), "lemke")
    print(f"n = {n:2}: {solution.iterations} pivots")
    assert solution.iterations == 2**n

# %% [markdown]
# Wires are kinder: in practice it takes about $n$ pivots.
#
# ## Play
#
# Four numbers make the geometry. Find a matrix with no solution in half of the plane, and one with four in a quarter of it.

# %% tags=["live"]
explore(
    lambda a, b, c, d, angle: pulled(angle, np.array([[a, b], [c, d]])),
    a=(-2.0, 2.0, 0.1, 1.0),
    b=(-2.0, 2.0, 0.1, 0.5),
    c=(-2.0, 2.0, 0.1, 0.5),
    d=(-2.0, 2.0, 0.1, 1.0),
    angle=(0, 360, 5, 215),
)

# %% [markdown]
# How long a move of a slider takes until its picture is there (a tenth of a second feels immediate):

# %%
times = []
for angle in range(0, 360, 30):
    begin = process_time()
    picture(pulled(angle))
    times.append(process_time() - begin)
print(f"{1e3 * np.median(times):.0f} ms of processor time on the machine that ran this page, {1e3 * min(times):.0f} at least")
