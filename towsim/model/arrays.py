"""The compiled model: a scene as flat arrays, in the groups that kernels read.

Everything a kernel needs of a run or a block crosses the border as one nested NamedTuple, by its handle. Indices are
positions in the scene's declaration order; −1 means "none". World axes unless said otherwise; SI units.
"""

from __future__ import annotations

from string import digits
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.lanes import WIDTH

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Codes = NDArray[np.int8]
Counts = NDArray[np.int32]

# Digits are lengths of the last axes, which are the same for all scenes: kernels are compiled for them (``Handle``).
Floats2 = Floats
Floats3 = Floats
Floats4 = Floats
Floats6 = Floats
Floats33 = Floats
Ints2 = Ints
Ints3 = Ints
Ints4 = Ints
Ints5 = Ints

UNILATERAL, FREE, OFF, TANGENT = 0, 1, 2, 3
"""Kinds of rows. TANGENT rows are two of a contact's three, whose impulse friction × normal impulse bounds, and those
of wires that rub on what they pass."""

OFF_COMPLIANCE = 1e12
"""Of a row that acts on nothing [1/kg]: with a gap as large as the length its scaled rate is of the size of others'."""

BALL, UNIVERSAL = 0, 1
"""Kinds of a cable's first joint."""

FORCE, THRUST, TORQUE, MOMENT = 0, 1, 2, 3
"""Kinds of loads: world force at the centre, body-fixed force at a body point, world torque, body-fixed torque."""


class Bodies(NamedTuple):
    """Rigid bodies and point masses. A point mass is a body that never rotates: its inverse inertia is zero."""

    mass: Floats  # (nb,) [kg]
    inertia: Floats33  # (nb, 3, 3) body axes [kg m²]; zero for point masses
    inertia_inv: Floats33  # (nb, 3, 3) body axes [1/(kg m²)]; zero for point masses
    norm: Floats  # (nb,) largest row sum of the magnitudes in inertia_inv: none of its eigenvalues is larger
    principal: Flags  # (nb,) whether the body axes are principal axes: inertia_inv is diagonal
    rotates: Flags  # (nb,)
    drag: Floats2  # (nb, 2) linear [N s/m] and quadratic [N s²/m²] coefficient
    gravity: Floats  # (3,) [m/s²]


class Drags(NamedTuple):
    """Drags that differ along the body's axes, act at a point of their own, or brake turns (see dynamics/bodies)."""

    body: Ints  # (nd,)
    at: Floats3  # (nd, 3) body axes [m]
    linear: Floats3  # (nd, 3) along the body's axes [N s/m]
    quadratic: Floats3  # (nd, 3) [N s²/m²]
    angular: Floats3  # (nd, 3) about them [N m s/rad]
    angular_quadratic: Floats3  # (nd, 3) [N m s²/rad²]


class Loads(NamedTuple):
    """Known forces and torques on bodies; their values in time are in the drive."""

    body: Ints  # (nl,)
    kind: Ints  # (nl,) FORCE, THRUST, TORQUE or MOMENT
    at: Floats3  # (nl, 3) point of attack of a thrust, body axes [m]


class Points(NamedTuple):
    """Attachment points: on a node (body or cable end), or on a robot (kinematic)."""

    node: Ints  # (np,) index of the node, −1 for a robot's
    robot: Ints  # (np,) index of the robot, −1 for a node's
    local: Floats3  # (np, 3) from the node's origin, body axes [m]
    used: Ints  # those that something other than the ends of straight wires needs


class Ends(NamedTuple):
    """Ends of straight wires at bodies, by fours as their sides are (see Rows).

    In the last four of a body those that are missing are the last one again, with a weight of 0.
    """

    body: Ints  # (n/4,) of each four
    side: Ints  # (n/4,) its first side
    size: Ints  # (n/4,) how many ends it has
    wire: Ints  # (n,)
    run: Ints  # (n/4,) the first wire if four follow each other, −1 else
    other: Ints  # (n,) the robot at the other end; the first number of its place, if it is one of these ends too
    weight: Floats  # (n,) 1, or 0 of what is there twice
    local: Floats  # (3 n,) from the body's origin, body axes, by fours [m]


class Wires(NamedTuple):
    """Massless wires, hard and elastic: gap ψ = L − ‖p_B − p_A‖, ψ ≥ 0 if hard."""

    a: Ints  # (nw,) point A
    b: Ints  # (nw,) point B
    row: Ints  # (nw,)
    elastic: Flags  # (nw,)
    held: Ends  # of straight wires from bodies to robots
    joined: Ends  # of those from body to body, both
    known: Ints3  # (m, 3) those from robot to robot: the wire, both robots


class Springs(NamedTuple):
    """Elastic wires, springs, and elastic contacts with the ground, by their rows; that of a spring is FREE."""

    row: Ints  # (ns,)
    wire: Ints  # (ns,) wire whose length L(t) divides stiffness and damping, −1 for a contact or a spring
    stiffness: Floats  # (ns,) EA [N], or k [N/m] of a contact or a spring
    damping: Floats  # (ns,) ηA [N s], or c [N s/m] of a contact or a spring
    pulls: Flags  # (ns,) whether the force may change its sign: of a spring, or of a closed contact


class Routes(NamedTuple):
    """Wires that pass other points between their ends; they are among ``Wires`` too."""

    wire: Ints  # (nv,)
    row: Ints  # (nv,)
    first: Ints  # (nv+1,) points of route i are point[first[i]:first[i+1]], both ends among them
    point: Ints  # (n,)
    side: Ints  # (n,) which of the sides of a row of the wire is at the point, −1 if it is a robot
    friction: Floats  # (nv,) coefficient, 0 without
    turns: Floats  # (nv,) full turns around each point between the ends [rad]
    band: Ints  # (n,) which of the bands below acts at the point, −1 for none
    rubbing: Ints2  # (m, 2) rows of each band's difference of tensions, and of its wire
    radius: Floats  # (n,) of the pulley at the point [m], 0 for a ring or an end
    swivels: np.ndarray  # (n,) whether it ends the wire and swivels about an axis
    axis: Floats3  # (n, 3) that axis; body axes, or world axes at a robot
    touch: Floats6  # (n, 6) where the wire meets and leaves it, from the point, at the geometry at hand; written to
    arc: Floats  # (n,) length that lies on it, NaN where the wire has no way over its pulleys; written to
    laid: Floats  # (n, 19) what moves where it touches it, its centre, the longest way (constraints/pulley); written to
    bound: Floats  # (2, m) its bounds at the geometry at hand, as ratios (see ``solvers.friction.bands``); written to


class Sheaves(NamedTuple):
    """Wheels that massless wires turn, and the parts of these wires between them (see constraints/sheave).

    The parts of a wire follow each other, and so do its wheels.
    """

    node: Ints  # (n,) of each wheel
    speed: Ints  # (n,) place in v of its speed at the rim
    mass: Floats  # (n,) moment of inertia over the square of the radius [kg]
    radius: Floats  # (n,) [m]
    route: Ints  # (w,) the wires, among the routes
    wire: Ints  # (w,) and among all massless wires
    first: Ints  # (w+1,) parts of wire i are first[i]:first[i+1]
    of: Ints  # (m,) route of each part
    row: Ints  # (m,)
    parts: Ints2  # (nr, 2) parts of the wire whose first part has this row, from and to; none of other rows
    begin: Ints  # (m,) where it begins, among the points of all routes
    end: Ints  # (m,) and where it ends
    side: Ints2  # (m, 2) sides at the wheels there, −1 at an end of the wire
    spring: Ints  # (m,) which of the springs it is, −1 of a rigid wire
    turns: Flags  # (np,) whether there is such a wheel, of the points of all routes
    slack: Floats  # (m,) gaps by the rates of the parts, where they count [m]; written to
    share: Floats  # (m,) of the straight length of the wire; written to


class Switches(NamedTuple):
    """Rows that can be off; whether they are is in the steppers' work."""

    wire: Ints  # (n,) wire, −1 for a row of a joint, or of the stops of a wire's drum
    lead: Ints  # (n,) the one of them that breaks with it: itself, or that of the wire on the drum
    row: Ints  # (n,)
    tension: Floats  # (n,) at which the wire breaks [N]; infinite if it does not
    impulse: Floats  # (n,) of a jerk, at which the wire breaks [N s]


class Balls(NamedTuple):
    """Ball joints: p_B − p_A = 0, three free rows each."""

    a: Ints  # (nj,) point A
    b: Ints  # (nj,) point B
    row: Ints3  # (nj, 3)
    side_a: Ints3  # (nj, 3)
    side_b: Ints3  # (nj, 3)


class Contacts(NamedTuple):
    """Points (or spheres) of bodies against the ground plane n·p = height."""

    point: Ints  # (nc,)
    radius: Floats  # (nc,) [m]; 0 for a point
    friction: Floats  # (nc,) [-]
    axes: Floats33  # (nc, 3, 3) rows: normal, first and second tangent
    height: Floats  # (nc,) [m]
    row: Ints3  # (nc, 3) normal, tangents (−1 when frictionless)
    side: Ints3  # (nc, 3)


class Wheels(NamedTuple):
    """Pulleys with a radius under massive wires (see dynamics/wheels), between a span before and one behind."""

    centre: Ints  # (n,) point that carries it: the centre of a block, where the wire comes to one that swivels
    touch: Ints2  # (n, 2) points where the spans touch it, −1 for none
    near: Ints2  # (n, 2) node of the span there, among all nodes of cables
    step: Ints2  # (n, 2) from there to the next node
    far: Ints2  # (n, 2) node at the other end of the span
    swivels: Flags  # (n,)
    cable: Ints2  # (n, 2) numbers of the spans
    elements: Ints2  # (n, 2) of them
    length_q: Ints2  # (n, 2) places in q of their lengths
    flow: Ints2  # (n, 2) places in v of what flows at the spans' ends
    sign: Floats2  # (n, 2) how that counts: the row has o − i
    arc_q: Ints  # (n,) place in q of the length of wire that is on it
    speed: Ints  # (n,) place in v of the speed of that
    row: Ints5  # (n, 5) of the flow, of the mass along x, y and z, and of its running (−1 where it swivels)
    side: Ints  # (n, 5, 2) sides of these rows at the spans' tips
    carrier: Ints5  # (n, 5) and at the body that carries it, −1 if a robot does
    radius: Floats  # (n,) [m]
    axis: Floats3  # (n, 3) about which it swivels; body axes, or world axes at a robot
    line: Floats  # (n,) mass of the wire per length [kg/m]
    axial: Floats  # (n,) and its axial stiffness [N]
    inertia: Floats  # (n,) of the wheel, over the square of its radius [kg]
    pace: Floats  # (1,) step over which touching points move [s]; infinite at rest; written to by steppers
    lay: Floats6  # (n, 6) where the wire meets and leaves it, from ``centre``, at the geometry at hand; written to
    arc: Floats  # (n,) length that lies on it then [m]; written to
    aside: Floats  # (n,) angle by which touching points are away from where they should be; written to
    heft: Floats3  # (n, 3) centre of mass of that, from ``centre``; written to


class Flow(NamedTuple):
    """Spans of massive wires that run over rings, and the rings (see dynamics/flow).

    A span has three coordinates more: its length in q; in v what flows in at its root, and out at its tip.
    """

    cable: Ints  # (m,) numbers of the spans
    q: Ints  # (m,) place of the length in q
    v: Ints  # (m,) place of the inflow in v; the outflow follows it
    free: Flags  # (m, 2) whether material flows at the root, and at the tip
    turned: Flags  # (m,) whether its root, and not its tip, is told as the end at its load
    row: Ints  # (n,) of each ring
    wheel: Flags  # (n,) whether it is a wheel, which takes up length
    end: Ints2  # (n, 2) spans before and behind it, as numbers above; −1 for none
    at_tip: Flags  # (n, 2) whether it is their tip that is there
    sign: Floats2  # (n, 2) how the row has the flows at these ends: 1 at a tip, −1 at a root
    through: Ints2  # (n, 2) places of these flows in v
    side: Ints2  # (n, 2) sides of the row at the spans' tips
    closure: Ints2  # (n, 2) ball joint that closes the end to the ring, −1 of a root that a robot carries
    point: Ints  # (n,)
    carrier: Ints  # (n,) side at the body that carries the ring, −1 if a robot does
    sides: Ints5  # (.., 5) as those of the cables
    least: Floats  # (m,) length at which a span is said to have run out [m]


class Cables(NamedTuple):
    """MRFE cables (see dynamics/mrfe).

    Coordinates of a cable: position of the root (3, unless a robot carries it), first joint (quaternion of the first
    link, or two angles), extension of the first element, then two angles and an extension for each further element.
    Its velocities: velocity of the root, angular velocity of the first link (world axes) or two rates, and so on.
    """

    first: Ints  # (nk+1,) first element of each cable
    q: Ints  # (nk+1,) offset of its coordinates in q
    v: Ints  # (nk+1,) offset of its velocities in v
    joint: Ints  # (nk,) first joint: BALL or UNIVERSAL
    tip: Ints  # (nk,) node at its tip
    root: Ints  # (nk,) node at its root, −1 if a robot carries it
    robot: Ints  # (nk,) robot that carries its root, −1 if none does
    closure: Ints  # (nk,) ball joint that closes its tip to the load
    root_closure: Ints  # (nk,) ball joint that closes its root to a body, −1 on a robot and of a free root
    tip_point: Ints  # (nk,)
    root_point: Ints  # (nk,) −1 if a robot carries the root
    frame: Floats33  # (nk, 3, 3) root frame: columns are the world directions of its axes
    axis: Floats  # (nk, 2, 3) axes of a universal first joint: in the root frame, and in the frame after the first
    hinge: Floats  # (nk,) springs of the first joint, relative to those of the others
    section: Floats6  # (nk, 6) mass per length [kg/m], radius [m], EA [N], EI [N m²], ηA [N s], ηI [N m² s]
    rest: Floats2  # (ne, 2) rest angles of the universal joints [rad]
    single: Ints  # cables that are swept one by one
    four: Ints | None  # first of each four that follow each other, are alike, and are swept side by side
    sides: Ints5  # (m, 5) side, cable, its column in Y; slot of its response at the other end (−1: none), column there
    flow: Flow | None  # of spans over rings; they are in neither of the two lists of cables above


class Rows(NamedTuple):
    """The rows' fixed layout: their sides, who couples with whom, and where that stands in the envelope of A.

    Sides are numbered node by node. Those of a body are by fours: of its straight wires to robots, of those to bodies,
    and of all else; what is missing in a last four acts on nothing (J = 0).
    """

    kind: Codes  # (nr,)
    compliance: Floats  # (nr,) added to A's diagonal [(m/s)/(N s)]
    soft: Ints  # rows whose compliance is not always zero
    ptr: Ints  # (nr+1,) sides of row i are side[ptr[i]:ptr[i+1]], in the order of its nodes
    side: Ints
    node: Ints  # (ns,) node of each side
    row: Ints  # (ns,) row of each side
    run: Ints  # (ns'/4,) of each four at bodies the first row if they follow each other, −1 else
    begin: Ints  # (nb,) sides at body k are begin[k]:end[k]
    end: Ints  # (nb,)
    apart: Ints  # sides at other nodes: ends of cables, wheels
    envelope: Ints  # (nr+1,) entries of row i of A are envelope[i]:envelope[i+1], the last one the diagonal
    where: Ints  # the entries of A that are not zero by structure, as places in the envelope, ascending
    direct: Ints3  # (.., 3) side, the first one of a four at its body that its response meets, and their entries' place
    fours: Ints2  # (.., 2) the same where the entries do not follow each other
    pairs: Ints2  # (.., 2) other sides, and the slot of the response that they meet
    single: Ints2  # (.., 2) products: four of each of ``fours``, one of each of ``pairs``, then 0; their entries
    more: Ints2  # (.., 2) products that add to entries beside these and the ``direct`` ones, and the entries
    parts: Ints  # (k+1,) rows that A couples are parts[c]:parts[c+1]


def by_side(J: Floats) -> Floats:
    """Forces and torques (6, ns) of the sides, from how kernels keep them (see model/sides)."""
    return J.reshape(-1, 6, WIDTH).swapaxes(0, 1).reshape(6, -1)


def jacobian(rows: Rows, J: Floats, bodies: int) -> Floats:
    """Directions (nr, 6 bodies) of the rows at the bodies, from those of the sides as kernels keep them."""
    found = np.zeros((len(rows.kind), bodies, 6))
    sides = rows.side[rows.node[rows.side] < bodies]
    np.add.at(found, (rows.row[sides], rows.node[sides]), by_side(J).T[sides])
    return found.reshape(len(rows.kind), 6 * bodies)


def by_fours(vectors: Floats) -> Floats:
    """Vectors (n, 3) as kernels go through four of them at once; n is a multiple of four."""
    return vectors.reshape(-1, WIDTH, 3).swapaxes(1, 2).reshape(-1)


def sides_of(rows: Rows, row: int) -> Ints:
    """The sides of a row."""
    found: Ints = rows.side[rows.ptr[row] : rows.ptr[row + 1]]
    return found


class Drive(NamedTuple):
    """Known motions and loads of one block, sampled at its step times t_k, k = 0..K."""

    robot: Floats3  # (K+1, n_robots, 3) position [m]
    robot_rate: Floats3  # (K+1, n_robots, 3) velocity [m/s]
    length: Floats  # (K+1, nw + ..) lengths of massless wires [m], then coordinates of joints whose motion is given
    length_rate: Floats  # (K+1, nw + ..) [m/s]
    load: Floats3  # (K+1, nl, 3) [N] or [N m]
    feed: Floats  # (K+1, nk) lengths of the mrfe cables [m]
    feed_rate: Floats  # (K+1, nk) [m/s]
    exit_force: Floats3  # (K+1, nk, 3) force on the free ends of cables [N]; 0 on the others
    motor: Floats  # (K+1, nm) forces and torques of the joints' motors [N] or [N m]
    wind: Floats3  # (K+1, 3) [m/s]
    kink: Flags  # (K+1,) whether a rate jumps in the step that begins there (see model/jumps)
    robot_jump: Floats3  # (K+1, n_robots, 3) by how much, as far as it falls to that step [m/s]
    length_jump: Floats  # (K+1, nw + ..) [m/s]


class State(NamedTuple):
    """What changes. Bodies first: seven coordinates and six velocities each, then the cables.

    ``q``: position (3) and unit quaternion wxyz (4) per body [m, -]; joint coordinates per cable and per arm
    [rad, m, -]. ``v``: velocity (3) and world angular *momentum* (3) per body [m/s, kg m²/s]; joint rates likewise.
    In SHAKE these are the mid-step ones, while it steps, and ``p`` holds the impulses of the step before.
    """

    q: Floats
    v: Floats
    p: Floats


_DTYPES = {"Floats": np.float64, "Ints": np.int64, "Flags": np.bool_, "Codes": np.int8}


LATER = np.empty(0)
"""In place of numbers that are filled in later on (see ``filled``)."""

Numbers = dict[str, np.ndarray]
"""The numbers of a scene by their place in ``Model``, such as "bodies.mass"."""


def pack(cls: type[Any], **given: Any) -> Any:
    """NamedTuple ``cls`` of the given arrays, made contiguous and of the declared types; other tuples as they are.

    Numbers may be left out, to be ``filled`` in.
    """
    kinds = (_DTYPES.get(annotation.__forward_arg__.rstrip(digits)) for annotation in cls.__annotations__.values())
    return cls(
        *(
            np.ascontiguousarray(given[f], dtype=kind) if kind is not None and f in given else given.get(f, LATER)
            for f, kind in zip(cls._fields, kinds, strict=True)
        )
    )


def filled(arrays: Any, numbers: Numbers, path: str = "") -> Any:
    """A nested tuple of arrays with the numbers in their places."""
    fields = {}
    for name, inner in zip(arrays._fields, arrays, strict=True):
        here = path + name
        if here in numbers:
            fields[name] = np.ascontiguousarray(numbers[here])
        elif hasattr(inner, "_fields"):
            fields[name] = filled(inner, numbers, here + ".")
    return arrays._replace(**fields)


def put(arrays: Any, numbers: Numbers) -> None:
    """Write the numbers into the arrays of a nested tuple that was ``filled`` with numbers of the same shapes."""
    for path, values in numbers.items():
        place = arrays
        for name in path.split("."):
            place = getattr(place, name)
        place[...] = values
