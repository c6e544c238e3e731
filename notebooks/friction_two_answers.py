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
# # Friction: one question, two answers
#
# Without friction all solutions of a step share their motion: $M$ is symmetric and positive semidefinite, and then $w$
# is unique (see the notebook `w_uniqueness`). Coulomb's law takes that away. Painlevé found in 1895 that a rod that
# slides on the ground may have several futures that all obey every law, or none without an impact. This notebook shows
# both, with numbers, and where exactly the theory for wires stops.
#
# A slender rod of mass $m = 1$ kg and length $l = 1$ m leans at the angle $\theta$ from the vertical and slides to the
# left on its lower end. An impulse $p_n$ upwards and $p_t$ along the ground change the velocity of that end by
#
# $$ \begin{pmatrix} \Delta v_n \\ \Delta v_t \end{pmatrix} =
#    \begin{pmatrix} a & -b \\ -b & c \end{pmatrix} \begin{pmatrix} p_n \\ p_t \end{pmatrix},
#    \qquad a = 1 + 3\sin^2\theta, \quad b = 3\sin\theta\cos\theta, \quad c = 1 + 3\cos^2\theta . $$
#
# The sign of $-b$ is the point: pushing the end to the right turns the rod, and the turning drives the end *down*.

# %%
# %matplotlib inline
from itertools import product
from time import process_time

import numpy as np
import solvers
from towsim.pictures.figures import FEW, swift_figure, swift_style
from towsim.pictures.slider import Slider, explore, picture

H, G = 1e-3, 9.81


def inverse_inertia(tilt):
    """The matrix above, from J M⁻¹ Jᵀ with the arm from the middle to the lower end."""
    x, z = -0.5 * np.sin(tilt), -0.5 * np.cos(tilt)
    J = np.array([[0.0, 1.0, x], [1.0, 0.0, -z]])  # rows: normal, tangent; columns: vx, vz, and spin from x to z
    return J @ np.diag([1.0, 1.0, 12.0]) @ J.T


tilt = np.arctan(0.5)
A = inverse_inertia(tilt)
print(A)
s, c = np.sin(tilt), np.cos(tilt)
assert np.allclose(A, [[1 + 3 * s * s, -3 * s * c], [-3 * s * c, 1 + 3 * c * c]])

# %% [markdown]
# ## The step as a complementarity problem
#
# In a plane friction has two directions. With $\beta_+$ and $\beta_-$ for the impulses to the right and to the left, and
# $\lambda$ for the speed of sliding, the step of Stewart and Trinkle (1996) is
#
# $$ \begin{pmatrix} v_n \\ v_t + \lambda \\ -v_t + \lambda \\ \mu p_n - \beta_+ - \beta_- \end{pmatrix}
#  = \begin{pmatrix} a & -b & b & 0 \\ -b & c & -c & 1 \\ b & -c & c & 1 \\ \mu & -1 & -1 & 0 \end{pmatrix}
#    \begin{pmatrix} p_n \\ \beta_+ \\ \beta_- \\ \lambda \end{pmatrix} + \begin{pmatrix} q_n \\ q_t \\ -q_t \\ 0 \end{pmatrix},
#    \qquad \text{left} \ge 0, \; \perp, \; z \ge 0. $$
#
# The last row is the cone of friction; the two before it say that friction acts against the motion, with all it has as
# long as the end slides. The matrix is **not symmetric**: $\mu$ stands on one side of the diagonal only.

# %%
def rod(mu, tilt=tilt, vn=0.02 - G * H, vt=-1.0):
    """The problem of one step; vn and vt are the end's velocity if the ground did not act [m/s]."""
    (a, b), (_, c) = inverse_inertia(tilt)  # b is negative
    M = [[a, b, -b, 0.0], [b, c, -c, 1.0], [-b, -c, c, 1.0], [mu, -1.0, -1.0, 0.0]]
    return solvers.LCP(M, [vn, vt, -vt, 0.0], names=["normal", "right", "left", "sliding"])


def impulse(z):
    """(p_n, p_t): what acts. As much added to friction in both directions changes nothing but the account of it."""
    return np.array([z[0], z[1] - z[2]])


def all_solutions(problem):
    """Every complementary basis tried: 16 sets of rows at work, w = 0 on them and z = 0 off them; one z an impulse."""
    found = []
    for chosen in product((False, True), repeat=problem.n):
        rows, z = np.flatnonzero(chosen), np.zeros(problem.n)
        if rows.size:
            block = problem.M[np.ix_(rows, rows)]
            if abs(np.linalg.det(block)) < 1e-12:
                continue
            z[rows] = np.linalg.solve(block, -problem.q[rows])
        w = problem.w(z)
        if min(z.min(), w.min()) > -1e-12 and not any(np.allclose(impulse(z), impulse(other)) for other in found):
            found.append(z)
    return sorted(found, key=lambda z: z[0])


def words(problem, z):
    w = problem.w(z)
    vt = 0.5 * (w[1] - w[2])
    if z[0] < 1e-12:
        return "leaves the ground"
    return "jams" if abs(vt) < 1e-9 else "slides on, pressed"


# %% [markdown]
# The rod's end is just about to lift off: without the ground it would rise at 0.01 m/s. The ground has nothing to do,
# one would think. With $\mu = 2$ there are three answers:

# %%
problem = rod(2.0)
answers = all_solutions(problem)
for z in answers:
    w = problem.w(z)
    print(f"{words(problem, z):20} p_n = {z[0]:.4f} N s   v_n = {w[0]:.4f}   v_t = {0.5 * (w[1] - w[2]):+.4f} m/s   residual {problem.residual(z):.0e}")
    assert problem.residual(z) < 1e-12
assert [words(problem, z) for z in answers] == ["leaves the ground", "slides on, pressed", "jams"]

# %% [markdown]
# None of them is an artefact of a solver. All three obey Newton's law, non-penetration, and Coulomb's law of friction, and
# their **$w$ differ**: the end rises, or slides, or stands still. Which one a method finds is its own affair.

# %%
for method in ("lemke", "newton", "enumerate"):
    solution = solvers.solve(problem, method)
    print(f"{method:10} {solution.status}: {words(problem, solution.z) if solution.solved else ''}")
    assert not solution.solved or any(np.allclose(impulse(solution.z), impulse(z), atol=1e-9) for z in answers)
analysis = solvers.analyse(problem, solvers.solve(problem))
print(analysis)
assert analysis.w_unique is False
assert problem.residual(analysis.other) < 1e-9

# %% [markdown]
# ## Where the limit is
#
# As long as the end slides, friction is $p_t = \mu p_n$, and the four rows shrink to a single one:
#
# $$ v_n = q_n + (a - \mu b)\, p_n, \qquad 0 \le v_n \perp p_n \ge 0 . $$
#
# A complementarity problem of **one** row, with the number $a - \mu b$ in place of the matrix. While it is positive there
# is one solution for every $q_n$. At $\mu^* = a/b$ it changes its sign, and then the line falls: for $q_n > 0$ it passes
# through *both* half-axes, $p_n = 0$ and $v_n = 0$, which makes two answers (and a third, jamming, in which the end does
# not slide); for $q_n < 0$ through neither.


# %%
def line(mu, vn=0.02 - G * H):
    a, b = A[0, 0], -A[0, 1]
    figure = swift_figure(8.4, 3.4)
    left, right = figure.subplots(1, 2)
    p = np.linspace(0.0, 0.05, 2)
    left.plot(p, vn + (a - mu * b) * p, color=FEW[0], linewidth=2)
    left.plot([0, 0, 0.05], [0.05, 0, 0], color="black", linewidth=2.5, alpha=0.35)
    if vn >= 0:
        left.plot(0.0, vn, "o", color=FEW[1], markersize=8)
    if (meets := -vn / (a - mu * b)) >= 0:
        left.plot(meets, 0.0, "o", color=FEW[1], markersize=8)
    left.set(xlim=(-0.003, 0.05), ylim=(-0.05, 0.05), xlabel="normal impulse (N s), sliding")
    left.set_title(f"vₙ (m/s) = {vn:+.3f} {a - mu * b:+.2f} pₙ", fontsize=9, loc="left", y=1.0)
    swift_style(left)
    problem = rod(mu, vn=vn)
    found = all_solutions(problem)
    right.set(xlim=(-1.1, 1.1), ylim=(-0.15, 1.25), aspect="equal")
    right.set_axis_off()
    right.plot([-1.1, 1.1], [0, 0], color="0.6", linewidth=3)
    right.plot([-0.5, -0.5 + np.sin(tilt)], [0.02, np.cos(tilt)], color=FEW[7], linewidth=5, solid_capstyle="round")
    for k, z in enumerate(found):
        right.text(0.15, 1.1 - 0.22 * k, f"• {words(problem, z)}", fontsize=9, color=FEW[1])
    right.set_title(f"friction {mu:.2f}: {len(found)} answer{'s' * (len(found) != 1)}", fontsize=9, loc="left", y=1.0)
    return figure


limit = A[0, 0] / -A[0, 1]
print(f"limit of friction: {limit:.4f}")
Slider(line, np.linspace(0.0, 2.4, 13).round(2), label="coefficient of friction", start=2.0)

# %%
for mu in (0.0, 1.0, 1.25, 1.5, 2.0):
    lifting, pressed = (all_solutions(rod(mu, vn=vn)) for vn in (0.01, -0.01))
    print(f"μ = {mu:.2f}: about to lift {[words(rod(mu), z) for z in lifting]}, pressed {[words(rod(mu), z) for z in pressed]}")
    assert len(lifting) == (1 if mu < limit else 3)
    assert [words(rod(mu), z) for z in pressed] == (["slides on, pressed"] if mu < limit else ["jams"])

# %% [markdown]
# Close to the limit one has to look twice: there $p_n = -q_n/(a - \mu b)$ is so large that its friction would stop the
# sliding, so that the answers change places a little beside $\mu^*$, the nearer to it the smaller $q_n$ is beside the
# speed of sliding:


# %%
def changes(vn):
    """The μ at which the number, or the kind, of the answers changes, by bisection."""
    def kind(mu):
        return [words(rod(mu), z) for z in all_solutions(rod(mu, vn=vn))]

    low, high = 1.0, 2.0
    while high - low > 1e-9:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if kind(middle) == kind(1.0) else (low, middle)
    return low


for vn in (0.01, 0.001, 0.0001, -0.01, -0.001):
    print(f"q_n = {vn:+.4f} m/s: changes at μ = {changes(vn):.5f}, limit {limit:.5f}")
assert limit < changes(0.0001) < changes(0.001) < changes(0.01)
assert changes(-0.01) < changes(-0.001) < limit

# %% [markdown]
# *Pressed* is the other half of Painlevé's paradox. A rod that is pressed to the ground slides on as long as
# $\mu < \mu^*$. Beyond, sliding has no answer at all, and the only one left is that the end **stops dead**, by an impulse
# that does not become smaller with the step: an impact without a collision. The step of Stewart and Trinkle, which works
# with impulses, contains it; in terms of forces and accelerations there would be no solution.

# %%
for h in (1e-2, 1e-3, 1e-4):
    pressed = rod(2.0, vn=-G * h)
    [z] = all_solutions(pressed)
    print(f"h = {h:g} s: {words(pressed, z)}, p_n = {z[0]:.4f} N s")
    assert words(pressed, z) == "jams"
    assert z[0] > 0.3  # 1.2/4 kg m/s, whatever h is

# %% [markdown]
# ## What the theory says
#
# `solvers.classify` puts the matrix where it belongs. It is **copositive**: $z^\mathsf{T} M z \ge 0$ for every $z \ge 0$,
# whatever $\mu$ is. That is what makes Lemke's method end at a solution (Stewart and Trinkle 1996; Anitescu and Potra
# 1997): **existence is safe**. It is not **column adequate**, and by Ingleton's theorem (Cottle, Pang & Stone,
# section 3.4) that is precisely what $w$-uniqueness for every $q$ takes: **uniqueness is lost**. (The witness that is
# named is a formal one, $\lambda$ of an end at rest; the rod is one of flesh and blood.) For wires the matrix is symmetric
# semidefinite, and such matrices are column adequate.

# %%
kind = solvers.classify(problem.M)
print(kind)
assert kind.copositive
assert kind.column_adequate is False
wires = solvers.classify([[1.0, -1.0], [-1.0, 1.0]])
assert wires.column_adequate

# %% [markdown]
# ## Not only rods
#
# Painlevé's limit is far from most coefficients of friction. There is a milder way to two answers, with any $\mu > 0$: a
# box on four feet. How the feet share the weight is not determined (three would be), so the *friction* at each foot is
# not either; and when the box turns, another friction is another motion.

# %%
feet = np.array([[0.2, 0.15], [-0.2, 0.15], [-0.2, -0.15], [0.2, -0.15]])
rows = [[*d, *np.cross([x, y, -0.1], d)] for x, y in feet for d in np.eye(3)[[2, 0, 1]]]
J, inertia = np.array(rows), np.array([2.0, 2.0, 2.0, 0.02, 0.033, 0.042])
free = np.array([0.3, 0.1, -G * H, 0.0, 0.0, 2.0])  # it slides and turns
box = solvers.Coulomb((J / inertia) @ J.T, J @ free, np.arange(12).reshape(4, 3), np.full(4, 0.5))
one = solvers.solve_coulomb(box)
found = solvers.analyse_coulomb(box, one)
for z in (one.z, found.other):
    v = free + (J.T @ z) / inertia
    print(f"loads {z[::3].round(5)} N s -> spin {v[5]:.7f} rad/s, velocity {v[:2].round(7)} m/s")
    assert box.residual(z) < 1e-9
spins = [(free + (J.T @ z) / inertia)[5] for z in (one.z, found.other)]
assert abs(spins[0] - spins[1]) > 1e-6
assert found.w_unique is False

# %% [markdown]
# The difference of one step is small, but it is no rounding error, and it adds up. In a run `tension_unique` is therefore
# −1, *not examined*, wherever friction acts, and the record says which of the answers was taken: `cone-newton` starts
# from the last step's, so that loads are shared as they were.
#
# ## Play
#
# Lean the rod, and see the limit move. It is least near 27° for a slender rod: below $\mu = 4/3$ there is no paradox at
# any angle.

# %%
angles = np.radians(np.linspace(5.0, 85.0, 801))
limits = np.array([inverse_inertia(t)[0, 0] / -inverse_inertia(t)[0, 1] for t in angles])
print(f"least limit {limits.min():.4f} at {np.degrees(angles[limits.argmin()]):.1f}°")
assert np.isclose(limits.min(), 4 / 3, atol=1e-5)


# %% tags=["live"]
def lean(degrees, mu):
    global tilt, A
    tilt = np.radians(degrees)
    A = inverse_inertia(tilt)
    return line(mu)


explore(lean, degrees=(5, 85, 5, 25), mu=(0.0, 3.0, 0.05, 2.0))

# %% [markdown]
# How long a move of a slider takes until its picture is there (a tenth of a second feels immediate):

# %%
times = []
for mu in np.linspace(0.0, 2.4, 13):
    begin = process_time()
    picture(line(mu))
    times.append(process_time() - begin)
print(f"{1e3 * np.median(times):.0f} ms of processor time on the machine that ran this page, {1e3 * min(times):.0f} at least")
