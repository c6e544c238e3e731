"""What the steppers write to: scratch memory, the record of one block, the watch over taut and slack wires."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.active_set.unique import MOST, UNKNOWN
from solvers.kernels.lanes import WIDTH
from towsim.arena import in_arena
from towsim.constraints.switch import SLACK, TAUT
from towsim.dynamics import flow, mrfe, tree
from towsim.methods.contact_events import ContactWatch, LimitWatch, make_contact_watch, make_limit_watch
from towsim.methods.solve import CONE
from towsim.model.arms import Arms
from towsim.model.arrays import (
    FREE,
    OFF,
    UNILATERAL,
    Codes,
    Counts,
    Flags,
    Floats,
    Floats3,
    Floats4,
    Floats6,
    Floats33,
    Ints,
    Rows,
    Sheaves,
)
from towsim.model.compile import Compiled
from towsim.model.model import Model

EVENT_ROOM = 512
"""Events after which a loop stops, at the end of the step; what one more step may write has room behind them."""


GAPS, STEP = 0, 1
"""Of ``Work.rounding``."""

RESIDUAL, ITERATIONS, RANK, SCALE = 0, 1, 2, 3
"""Of ``Work.answer``."""


class FlowWork(NamedTuple):
    """Scratch of the spans over rings."""

    F: Floats  # (ne, ..) one row an element
    K: Floats  # (m, ..) one row a span
    length: Floats  # (nk,) of all cables [m]
    rate: Floats  # (nk,) [m/s]


class CableWork(NamedTuple):
    """Scratch of the cables; empty in a scene without them."""

    S: Floats  # (ne, ..) recursion, one row an element
    E: Floats  # (nk, ..) the same for what a cable has once
    W: Floats  # (4 * 24,) wrenches of a sweep of up to four cables
    G: Floats  # (4 * 16,) sums of a sweep
    H: Floats  # (nk, 12, 12) inverse inertias at the ends: velocity and angular velocity of the tip, then of the root
    rate: Floats  # (nv,) rates of the velocities, as predicted
    spring: Floats  # (nq,) coordinates at which the springs act
    d: Floats  # (nv,) motion that the step's forces and impulses add
    robot_acceleration: Floats3  # (n_robots, 3)
    feed_acceleration: Floats  # (nk,) second rate of the unstrained lengths
    node: Floats3  # (ne + nk, 3) positions of the elements' ends
    tip_rate: Floats3  # (nk, 3)
    energy: Floats  # (nk,) kinetic and of the springs [J]
    exit: Floats3  # (nk, 3) forces of the carriers on the roots
    flow: FlowWork | None


class ForestWork(NamedTuple):
    """Scratch of the arms; empty in a scene without them."""

    s: Floats  # (n, ..) sweeps, one row a joint
    base: Floats  # (9 nt,) position, velocity and acceleration of the bases
    before: Floats3  # (nt, 3) their velocities before the step, or kick
    after: Floats3  # (nt, 3) and after it
    jump: Floats3  # (nt, 3) what they jump by in between
    brake: Floats  # (nl,) drag of the bodies, times the share of the step in which it is implicit [kg]
    tau: Floats  # (n,) joint forces
    u: Floats  # (n,) rates after the step, free or with impulses
    still: Floats  # (n,) the same without pseudo-forces of the velocities
    g: Floats  # (ns, n) joint forces of unit impulses on the sides
    y: Floats  # (ns, n) what rates they give
    strike: Floats6  # (nn, 6) impacts of the rows on the nodes
    struck: Floats6  # (nl, 6) impacts of the joints on the bodies
    z: Floats  # (n,) what rates the impulses to expect give
    free: Floats  # (2, n) ``still`` and ``u`` without them
    q: Floats  # (nq,) coordinates to expect
    s_ahead: Floats  # (n, ..) kinematics there
    ahead: Floats  # (9 nt,) bases there


class Work(NamedTuple):
    """Scratch of one step. Geometry (R .. gap) always belongs to the current state; the rest to the step under way.

    The sides' directions J of straight wires are geometry as well.
    """

    R: Floats33  # (nb, 3, 3) rotations
    R_new: Floats33  # (nb, 3, 3) rotations of a predicted pose
    turn: Floats3  # (nb, 3) how bodies turn to get there [rad], world axes
    Y: Floats33  # (nb, 3, 3) inverse inertias, world axes
    P: Floats3  # (np, 3) points
    arm: Floats3  # (np, 3) from the node's origin to the point
    ends: Floats  # (3 n,) ends of straight wires between bodies, by fours
    levers: Floats  # (3 n,) from the bodies' origins to these ends
    n: Floats3  # (m, 3) directions of the wires from robot to robot
    axis: Floats3  # (na, 3) coordinates of joints: at the geometry at hand, at the step's beginning, a step before
    off: Flags  # (n,) which of the rows that can be off are
    rounding: (
        Floats  # (2,) rounding errors [m/s]: GAPS, of ψ/h in this block; STEP, of the rates of the problem at hand
    )
    cap: Floats  # (n,) impulse with which a wire broke in this step, −1 if it did not
    snap: Floats  # (n,) what of it is an impact
    broken: Ints  # (n,) the block's first row after a wire broke
    gap: Floats  # (nr,)
    minv: Floats  # (nb,) 1/m̃
    f: Floats6  # (nb, 6) applied forces and torques
    u: Floats6  # (nn, 6) free node velocities
    v_drag: Floats6  # (nb, 6) velocity, angular momentum
    J: Floats  # (6 ns,) directions, by fours (see model/sides)
    W: Floats  # responses: of each side at its own node, then at the other end of a cable
    products: Floats  # of sides and responses, see Rows
    spring: Floats6  # (number of springs, 6) see constraints/elastic.py
    rate: Floats  # (nr,) ∂ψ/∂t
    bias: Floats  # (nr,)
    A: Floats  # (nnz,) lower envelope
    q: Floats  # (nr,)
    w: Floats  # (nr,)
    p: Floats  # (nr,) impulses
    impulse: Floats  # (nr,) what of them is an impact (see stepping/impulses)
    force: Floats  # (nr,) the rest
    smooth: Floats  # (nr,) rates that forces add in the step
    change: Floats  # (nr,) scratch, of what is found of ``force``
    rho: Floats  # (nr,) rates in the step before, NaN of rows without one; by BDF those with which a first step begins
    jump: Floats  # (nr,) by how much they jumped since, in the last step in which any did
    given: Floats  # (nv,) what was added to velocities from outside since the step before
    jolt: Floats  # (nr,) and J v of arms with their bases
    snapped: Floats  # (nr,) rates that impacts of wires which break in this step give; none where no wire can
    passed: Floats  # (nr,) impacts since a BDF method recorded a row
    robot_ahead: Floats3  # (n_robots, 3) after the end of a run of SHAKE [m]
    length_ahead: Floats  # (nw + ..,) as ``Drive.length`` [m]
    closing: Floats  # (nr,) ψ/h at the beginning of the step
    age: Ints  # (nr,) steps for which the row has acted
    aged: Ints  # (nr,) the same while it is asked which wires break
    held: Flags  # (nr,) rows that are held, of those that can be
    taut: Flags  # (nr,) active set, kept from step to step
    mask: Flags  # (nr,) rows that were held in the step before
    works: Flags  # (nr,) of these those with an impulse
    table: Floats  # (MOST (MOST + 1),) scratch of the question whether impulses are unique
    known: Ints  # (3,) rank of the solver's basis and of the held rows, whether tensions were unique, then
    answer: (
        Floats  # (4,) residual, iterations, rank of the basis and max q² / A_ii (−1: not known) of the last solution
    )
    kind: Codes  # (nr,) kinds as the solver knows them
    wrench: Floats6  # (nn, 6) node impulses
    carried: Floats6  # (nn, 6) those of joints, as expected by SHAKE
    q_new: Floats
    v_new: Floats
    cable: CableWork
    forest: ForestWork


class CableRecord(NamedTuple):
    """What a block's record has of the cables."""

    tip_force: Floats3  # (K+1, nk, 3) of the cables on their loads [N]
    exit_force: Floats3  # (K+1, nk, 3) of the carriers on the cables [N]
    tension: Floats  # (K+1, nk) size of the former [N]
    impulse: Floats  # (K+1, nk) size of an impact at the tip [N s]
    gap: Floats  # (K+1, nk) length less the distance of the ends [m]
    length: Floats  # (K+1, nk) unstretched [m]
    extension: Floats  # (K+1, nk) [m]
    energy: Floats  # (K+1, nk) kinetic, potential and elastic [J]
    closure: Floats4  # (K+1, nk, 4) errors of the tip's closure in position [m] and in velocity [m/s], of the root's
    node: Floats3  # (K+1, ne + nk, 3) positions of the cables' nodes [m]


class ArmRecord(NamedTuple):
    """What a block's record has of the bodies of arms: what all joints at one do to it."""

    force: Floats6  # (K+1, nl, 6) force [N] and torque about its centre [N m]
    impulse: Floats3  # (K+1, nl, 3) impact [N s]


class SheaveRecord(NamedTuple):
    """What a block's record has of the wheels that massless wires turn, and of the parts of these wires."""

    speed: Floats  # (K+1, n) [rad/s]
    length: Floats  # (K+1, m) [m]


class Record(NamedTuple):
    """One block's results; row 0 is the state in which the block begins, row k the one after step k."""

    position: Floats3  # (K+1, nb, 3)
    quaternion: Floats4  # (K+1, nb, 4)
    velocity: Floats3  # (K+1, nb, 3)
    angular_velocity: Floats3  # (K+1, nb, 3)
    acceleration: Floats3  # (K+1, nb, 3)
    angular_acceleration: Floats3  # (K+1, nb, 3)
    gap: Floats  # (K+1, nr)
    force: Floats  # (K+1, nr) (impulse − impact) / duration
    impulse: Floats  # (K+1, nr) impact
    residual: Floats  # (K+1,)
    iterations: Counts  # (K+1,)
    status: Codes  # (K+1,) 0 = solved
    rank: Counts  # (K+1,)
    unique: Codes  # (K+1,) whether the multipliers are: 1, 0, or −1 where it was not examined
    cables: CableRecord | None
    arms: ArmRecord | None
    sheaves: SheaveRecord | None


class Watch(NamedTuple):
    """Per wire: slack, in a jerk, or taut; and the events found so far in this block."""

    phase: Ints  # (nw,) SLACK, JERK or TAUT
    since: Floats  # (nw,) end of the step in which it began [s]
    impulse: Floats  # (nw,) [N s]
    energy: Floats  # (nw,) [J]
    until: Floats  # (nw,) end of the jerk's last step [s]
    rate: Floats  # (nw,) ψ̇ of a slack wire in the step before, of a jerk when it began [m/s]
    hard: Flags  # (nw,) whether the wire was slack beyond doubt, or driven apart when it tightened
    calm: Flags  # (1,) whether all wires are known to be taut, and none is ``hard``
    event: Floats6  # (EVENT_ROOM + .., 6) since, SLACK, JERK or TAUT, wire, impulse, energy, until
    found: Ints  # (1,) number of events
    contacts: ContactWatch | None  # the contacts; None with the laws that few scenes need (see Model)
    limits: LimitWatch | None  # those of joints, likewise


def room_for_products(rows: Rows) -> Floats:
    """Scratch for the products of sides and responses; the last one is 0 (see ``Rows``)."""
    return np.zeros(WIDTH * len(rows.fours) + len(rows.pairs) + 1)


def make_work(compiled: Compiled) -> Work:
    """Scratch arrays for a compiled scene."""
    model, start = compiled.model, compiled.start()
    nb, nw = len(model.bodies.mass), len(model.wires.a)
    n_points, ns, nr = len(model.points.node), len(model.rows.node), len(model.rows.kind)
    nnz, nn = int(model.rows.envelope[-1]), compiled.nodes
    kind = np.select([model.rows.kind == FREE, model.rows.kind == OFF], [1, 2], default=UNILATERAL).astype(np.int8)
    kind[model.contacts.row[model.contacts.row[:, 1] >= 0]] = CONE
    if model.routes is not None:
        kind[model.routes.rubbing[:, 0]] = CONE
    given = 0 if model.joints is None else int((model.joints.axes.motion >= 0).sum())
    switches = 0 if model.switches is None else len(model.switches.row)
    zeros = np.zeros
    work = Work(
        R=np.tile(np.eye(3), (nb, 1, 1)),
        R_new=np.tile(np.eye(3), (nb, 1, 1)),
        turn=zeros((nb, 3)),
        Y=zeros((nb, 3, 3)),
        P=zeros((n_points, 3)),
        arm=zeros((n_points, 3)),
        ends=zeros(3 * len(model.wires.joined.wire)),
        levers=zeros(3 * len(model.wires.joined.wire)),
        n=zeros((len(model.wires.known), 3)),
        axis=zeros((0 if model.joints is None else len(model.joints.axes.a), 3)),
        off=zeros(switches, np.bool_),
        rounding=zeros(2),
        cap=np.full(switches, -1.0),
        snap=np.zeros(switches),
        broken=np.zeros(switches, np.int64),
        gap=zeros(nr),
        minv=zeros(nb),
        f=zeros((nb, 6)),
        u=zeros((nn, 6)),
        v_drag=zeros((nb, 6)),
        J=zeros(6 * -(-ns // WIDTH) * WIDTH),
        W=zeros(6 * -(-compiled.responses // WIDTH) * WIDTH),
        products=room_for_products(model.rows),
        spring=zeros((0 if model.springs is None else len(model.springs.row), 6)),
        rate=zeros(nr),
        bias=zeros(nr),
        A=zeros(nnz + WIDTH - 1)[:nnz],  # where four entries are written together, some are behind its end
        q=zeros(nr),
        w=zeros(nr),
        p=zeros(nr),
        impulse=zeros(nr),
        force=zeros(nr),
        smooth=zeros(nr),
        change=zeros(nr),
        rho=np.full(nr, np.nan),
        jump=zeros(nr),
        given=zeros(len(start.v)),
        jolt=zeros(nr),
        snapped=zeros(0 if model.switches is None else nr),
        passed=zeros(nr),
        robot_ahead=zeros((len(compiled.scene.robots), 3)),
        length_ahead=zeros(nw + given),
        closing=zeros(nr),
        age=zeros(nr, np.int64),
        aged=zeros(nr, np.int64),
        held=zeros(nr, np.bool_),
        taut=zeros(nr, np.bool_),
        mask=zeros(nr, np.bool_),
        works=zeros(nr, np.bool_),
        table=zeros(min(nr, MOST) * (min(nr, MOST) + 1)),
        known=np.zeros(3, np.int64),
        answer=zeros(4),
        kind=kind,
        wrench=zeros((nn, 6)),
        carried=zeros((nn, 6)),
        q_new=start.q.copy(),
        v_new=zeros(len(start.v)),
        cable=_make_cable_work(compiled, len(start.q), len(start.v)),
        forest=_make_forest_work(model.arms, len(start.q), nn),
    )
    return in_arena(work)


def _make_forest_work(arms: Arms | None, nq: int, nodes: int) -> ForestWork:
    n = ns = trees = links = 0
    if arms is None:
        nq = nodes = 0
    else:
        n, ns, trees, links = len(arms.tree.kind), len(arms.side), len(arms.robot), len(arms.body)
        nq -= int(arms.q[0])
    return ForestWork(
        s=np.zeros((n, tree.WIDTH)),
        base=np.zeros(9 * trees),
        before=np.zeros((trees, 3)),
        after=np.zeros((trees, 3)),
        jump=np.zeros((trees, 3)),
        brake=np.zeros(links),
        tau=np.zeros(n),
        u=np.zeros(n),
        still=np.zeros(n),
        g=np.zeros((ns, n)),
        y=np.zeros((ns, n)),
        strike=np.zeros((nodes, 6)),
        struck=np.zeros((links, 6)),
        z=np.zeros(n),
        free=np.zeros((2, n)),
        q=np.zeros(nq),
        s_ahead=np.zeros((n, tree.WIDTH)),
        ahead=np.zeros(9 * trees),
    )


def _make_cable_work(compiled: Compiled, nq: int, nv: int) -> CableWork:
    nk, ne = len(compiled.cable_names), sum(cable.model.elements for cable in compiled.table.cables)
    zeros = np.zeros
    return CableWork(
        S=zeros((ne, mrfe.WIDTH)),
        E=zeros((nk, mrfe.ENDS)),
        W=zeros(4 * 24 if nk else 0),
        G=zeros(4 * 16 if nk else 0),
        H=zeros((nk, 12, 12)),
        rate=zeros(nv),
        spring=zeros(nq if nk else 0),
        d=zeros(nv if nk else 0),
        robot_acceleration=zeros((len(compiled.scene.robots), 3)),
        feed_acceleration=zeros(nk),
        node=zeros((ne + nk, 3)),
        tip_rate=zeros((nk, 3)),
        energy=zeros(nk),
        exit=zeros((nk, 3)),
        flow=None if compiled.cables is None or compiled.cables.flow is None else _make_flow_work(ne, nk, compiled),
    )


def _make_flow_work(ne: int, nk: int, compiled: Compiled) -> FlowWork:
    assert compiled.cables is not None
    assert compiled.cables.flow is not None
    spans = len(compiled.cables.flow.cable)
    return FlowWork(
        F=np.zeros((ne, flow.WIDTH)), K=np.zeros((spans, flow.ENDS)), length=np.zeros(nk), rate=np.zeros(nk)
    )


def make_record(compiled: Compiled, steps: int) -> Record:
    """Record of a block of ``steps`` steps, to be filled."""
    k, nb, nr = steps + 1, len(compiled.model.bodies.mass), len(compiled.model.rows.kind)
    return Record(
        position=np.empty((k, nb, 3)),
        quaternion=np.empty((k, nb, 4)),
        velocity=np.empty((k, nb, 3)),
        angular_velocity=np.empty((k, nb, 3)),
        acceleration=np.empty((k, nb, 3)),
        angular_acceleration=np.empty((k, nb, 3)),
        gap=np.empty((k, nr)),
        force=np.empty((k, nr)),
        impulse=np.zeros((k, nr)),
        residual=np.zeros(k),
        iterations=np.zeros(k, np.int32),
        status=np.zeros(k, np.int8),
        rank=np.zeros(k, np.int32),
        unique=np.full(k, UNKNOWN, np.int8),
        cables=_make_cable_record(compiled, k) if compiled.cable_names else None,
        arms=None if compiled.model.arms is None else _make_arm_record(compiled.model.arms, k),
        sheaves=None if compiled.model.sheaves is None else _make_sheave_record(compiled.model.sheaves, k),
    )


def begin_with_first_step(record: Record) -> None:
    """Row 0 of what belongs to a step is that with which the first step begins: its forces, accelerations, rank."""
    for array in (
        record.acceleration,
        record.angular_acceleration,
        record.force,
        record.residual,
        record.rank,
        record.unique,
    ):
        array[0] = array[1]
    if record.cables is not None:
        for array in record.cables.tip_force, record.cables.exit_force, record.cables.tension:
            array[0] = array[1]
    if record.arms is not None:
        record.arms.force[0] = record.arms.force[1]


def _make_arm_record(arms: Arms, rows: int) -> ArmRecord:
    nl = len(arms.body)
    return ArmRecord(force=np.full((rows, nl, 6), np.nan), impulse=np.zeros((rows, nl, 3)))  # not known at the start


def _make_sheave_record(sheaves: Sheaves, rows: int) -> SheaveRecord:
    return SheaveRecord(speed=np.empty((rows, len(sheaves.node))), length=np.empty((rows, len(sheaves.row))))


def _make_cable_record(compiled: Compiled, rows: int) -> CableRecord:
    nk, nodes = len(compiled.cable_names), sum(cable.model.elements + 1 for cable in compiled.table.cables)
    return CableRecord(
        tip_force=np.empty((rows, nk, 3)),
        exit_force=np.empty((rows, nk, 3)),
        tension=np.empty((rows, nk)),
        impulse=np.zeros((rows, nk)),
        gap=np.empty((rows, nk)),
        length=np.empty((rows, nk)),
        extension=np.empty((rows, nk)),
        energy=np.empty((rows, nk)),
        closure=np.empty((rows, nk, 4)),
        node=np.empty((rows, nodes, 3)),
    )


def make_watch(model: Model) -> Watch:
    """A watch in which every wire counts as slack, so that one that is pulled at once reports it; springs never are."""
    nw, nc = len(model.wires.a), len(model.contacts.point)
    na = 0 if model.joints is None else len(model.joints.axes.joint)
    watch = Watch(
        phase=np.where(model.rows.kind[model.wires.row] == FREE, TAUT, SLACK),
        since=np.zeros(nw),
        impulse=np.zeros(nw),
        energy=np.zeros(nw),
        until=np.zeros(nw),
        rate=np.full(nw, np.nan),
        hard=np.zeros(nw, np.bool_),
        calm=np.zeros(1, np.bool_),
        event=np.empty((0, 6)),
        found=np.zeros(1, np.int64),
        contacts=make_contact_watch(nc) if model.restitution is not None else None,
        limits=make_limit_watch(na) if model.joints is not None else None,
    )
    # Between two looks at their number: an end by schedule, a jerk's end, a break and a slackening of each wire; a
    # landing and what follows of each contact; an impact at each limit.
    room = EVENT_ROOM + 4 * nw + 2 * nc + 2 * na
    return in_arena(watch)._replace(event=np.zeros((room, 6)))  # never put back
