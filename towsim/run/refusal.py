"""Why a run had to stop, as an error that names who, when, how fast, and what to do."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np

from towsim.constraints.pulley import CENTRE, KEPT
from towsim.dynamics.wheels import ASIDE
from towsim.errors import RefusedError, SimulationError
from towsim.methods import loop
from towsim.methods.block import Block
from towsim.methods.locked import locked
from towsim.methods.solve import Answer
from towsim.methods.stability import fastest_growth
from towsim.methods.stepper import Stepper
from towsim.model.arrays import BALL, Cables, Drive, Floats
from towsim.model.routes import without_way
from towsim.results.summary import distance
from towsim.results.variables import STATUS_FLAGS
from towsim.run.paths import Overreach, Paths
from towsim.scene.cable import MOST_STRAIN
from towsim.scene.pulleys import CLOSE, NO_WAY

ROOM = "; keep them apart, or take a smaller radius"
"""What to do about pulleys, or a pulley and an end, that are inside each other."""

SUDDEN = 0.05
"""Strain in one step that no pull but a step that is too long makes: fifty times what a rope bears at work."""

SHORT = 0.1
"""Share of its length at the start that is almost nothing of a wire."""

AHEAD = 20
"""Steps to look ahead for robots out of reach, when a wire stretches: the last ones before that are the hardest."""

FINE = 64
"""Parts of a step in which a motion is looked at, to tell a jump from a step that is too long for it."""

OVERDETERMINED = (
    "; hard wires in a closed set are overdetermined: their lengths and the robots' motions must agree to the last "
    "digit, or let the wires stretch (model: elastic)"
)

STRAIGHT = ", or, where wires stretched straight are loaded across, which no tension can hold, make them longer"
"""What to do about a slackline of exact length."""


def explain(
    stepper: Stepper,
    paths: Paths,
    block: Block,
    last: Block | None,
    answer: Answer | None,
    solver: str,
    gave_up: str,
) -> SimulationError:
    """The reason for which the step after ``block`` was not taken.

    Parameters
    ----------
    last : the last block that has rows
    answer : what the last back-end said, where it did not solve the step's problem
    solver, gave_up : names of the solver that was asked for, and of the one that gave this answer
    """
    if block.reason == loop.LOST:
        assert stepper.failure is not None  # set where the block was left
        return stepper.failure
    time = stepper.time + stepper.h
    no_way = _no_way(stepper, time)
    if no_way is not None:
        return no_way
    if block.reason == loop.STRETCHED and np.isfinite(stepper.work.gap).all():
        return _stretched(stepper, paths, block, last, time)
    if block.reason == loop.STRAINED:
        return _strained(stepper, block, stepper.time if stepper.method.multistep else time)
    if block.reason == loop.SPENT:
        return _spent(stepper, time)
    if block.reason == loop.LEFT:
        return _left(stepper, time)
    spun = stepper.spun()
    if spun is not None:
        return SimulationError(
            f"at t = {time:.6g} s body {spun!r} turns too far in one step of {stepper.h:.6g} s, by about half "
            "a turn or more; use a step in which it turns by less than a radian",
            time=time,
        )
    if block.reason in (loop.NOT_FINITE, loop.STRETCHED, loop.HAULED_IN):
        return SimulationError(
            f"at t = {time:.6g} s positions grew beyond all bounds; a smaller step may help, "
            "or a force that grows without limit is to blame",
            time=time,
        )
    stuck = locked(stepper, block.drive.robot[block.row])
    if stuck:
        return SimulationError(
            f"at t = {time:.6g} s {_names('cable', stuck)} of one element cannot move sideways: the link lies along "
            "the first axis of its first joint; give it two elements or more, or another first_joint (ball)",
            time=time,
        )
    assert answer is not None  # the only reason left is a problem that no back-end solved
    if answer.owners:
        wires, joints = _kinds(stepper, answer.owners)
        speed = "" if answer.speed is None else f" at {answer.speed:.6g} m/s"
        if answer.driven:
            why = f"driven apart{speed}: no motion of the loads can satisfy all of them" + _hint(wires, joints)
        else:
            why = (
                f"at odds{speed}, though not by known motions: no motion of the loads meets all of them in one step of "
                f"{stepper.h:.6g} s; use a smaller step" + (STRAIGHT if wires else "") + _hint(wires, joints)
            )
        return RefusedError(
            f"at t = {time:.6g} s {_listed(wires, joints)} {why}",
            time=time,
            wires=answer.owners,
            speed=answer.speed,
        )
    behind = "" if gave_up == solver else f", with {gave_up!r} behind it,"
    return SimulationError(
        f"at t = {time:.6g} s the solver {solver!r}{behind} did not solve the step's problem ({answer.message}); "
        f"try {_other(stepper, gave_up)}",
        time=time,
    )


def _other(stepper: Stepper, solver: str) -> str:
    """What may solve a problem that this solver did not. With friction, smaller steps bring up problems as hard."""
    if not stepper.friction:
        return "a smaller step" if solver == "auto" else "solver='auto' or a smaller step"
    if solver != "auto":
        return "solver='auto'"
    return f"friction={('cone' if stepper.cones is None else 'polyhedral')!r}, or another step"


def _hint(wires: tuple[str, ...], joints: tuple[str, ...]) -> str:
    """What to do about more rows than loads have freedom; two wires are a plain pull."""
    if len(wires) + len(joints) <= 2:
        return ""
    if not wires:
        return "; joints in a closed loop may be more than it has freedom: leave one out, or give one more freedom"
    return OVERDETERMINED


def out_of_reach(far: Overreach, time: float) -> RefusedError:
    """Two robots are, or are about to be, farther apart than wires and loads can span."""
    a, b = far.robots
    when = "are" if far.sample <= 1 else f"will be, {far.sample - 1} steps on,"
    return RefusedError(
        f"at t = {time:.6g} s {_listed(far.wires, far.joints)} driven apart at {far.speed:.6g} m/s: "
        f"robots {a!r} and {b!r} {when} {distance(far.excess)} farther apart than wires and loads can reach",
        time=time,
        wires=far.wires + far.joints,
        speed=far.speed,
    )


def machine_readable(failure: SimulationError) -> dict[str, str]:
    """A refusal as an attribute of the result: time, wires and speed."""
    if not isinstance(failure, RefusedError):
        return {}
    return {"refusal": json.dumps({"time": failure.time, "wires": failure.wires, "speed": failure.speed})}


def _strained(stepper: Stepper, block: Block, time: float) -> RefusedError:
    """Cables that known motions, feeds, or an unstable method stretch beyond what is allowed."""
    compiled = stepper.compiled
    assert compiled.cables is not None
    length = block.drive.feed[block.row].copy()
    if compiled.cables.flow is not None:
        length[compiled.cables.flow.cable] = stepper.state.q[compiled.cables.flow.q]
    stretch = np.array([_extension(compiled.cables, c, stepper.state.q) for c in range(len(length))])
    rate = np.array([_extension_rate(compiled.cables, c, stepper.state.v) for c in range(len(length))])
    worst = int(np.argmax(stretch / length))
    names = tuple(compiled.cable_names[c] for c in np.argsort(-stretch / length) if stretch[c] > 0.1 * stretch[worst])
    growing = fastest_growth(compiled.scene, stepper.method.order, stepper.h, at_work=True)
    if growing is not None:
        cause = f"method {stepper.method.name!r} is not stable in steps of {stepper.h:g} s: {growing}"
    elif stepper.h * rate[worst] > SUDDEN * length[worst]:
        cause = f"its elements move too far in one step of {stepper.h:g} s; use a smaller step"
    else:
        cause = (
            f"known motions, the feed or loads pull it farther than {MOST_STRAIN:.0%} of its length; change them, "
            "or make it stiffer"
        )
    return RefusedError(
        f"at t = {time:.6g} s {_names('cable', names)} would stretch by {distance(stretch[worst])}, "
        f"{stretch[worst] / length[worst]:.2g} of the length: {cause}",
        time=time,
        wires=names,
    )


def _spent(stepper: Stepper, time: float) -> RefusedError:
    """A span of a massive cable over rings that is about to have no length."""
    compiled, q = stepper.compiled, stepper.state.q
    assert compiled.cables is not None
    assert compiled.cables.flow is not None
    flow = compiled.cables.flow
    i = int(np.argmin(q[flow.q] / flow.least))
    name = compiled.cable_names[flow.cable[i]]
    wire = compiled.scene.wires[name]
    return RefusedError(
        f"at t = {time:.6g} s span {name!r} of a massive cable, from {wire.from_!r} to {wire.to!r}, has run out: "
        f"{distance(float(q[flow.q[i]]))} of it are left, and the rest has run over the ring; keep its ends apart",
        time=time,
        wires=(name,),
    )


def _left(stepper: Stepper, time: float) -> RefusedError:
    """A massive cable that is about to leave a pulley."""
    compiled, wheels = stepper.compiled, stepper.compiled.model.wheels
    assert wheels is not None
    off = ~((wheels.arc > 0.0) & (wheels.aside < ASIDE))
    one = compiled.table.wheels[int(np.flatnonzero(off)[0])]
    name = compiled.table.cables[one.sides[0][1]].name.rpartition(".")[0]
    return RefusedError(
        f"at t = {time:.6g} s the massive cable {name!r} leaves pulley {one.name!r}: it is slack there, or no longer "
        "bent over it; keep it taut, and its ends to their side",
        time=time,
        wires=(name,),
    )


def _no_way(stepper: Stepper, time: float) -> RefusedError | None:
    """Wires that have no way over their pulleys, if there are any."""
    massless, work = stepper.compiled.massless, stepper.work
    astray = without_way(stepper.compiled.model.routes, massless, work.gap) if np.isfinite(work.P).all() else ()
    for name in astray:
        crowded = _crowded(stepper, name)
        if crowded:
            return RefusedError(f"at t = {time:.6g} s {crowded}{ROOM}", time=time, wires=(name,))
    if not astray:
        return None
    return RefusedError(f"at t = {time:.6g} s {_names('wire', astray)} {NO_WAY}", time=time, wires=astray)


def _crowded(stepper: Stepper, name: str) -> str:
    """Which neighbours along a massless wire have no straight part of it left between them."""
    compiled, routes = stepper.compiled, stepper.compiled.model.routes
    assert routes is not None
    for i in np.flatnonzero(routes.wire == compiled.massless.index(name)):
        own = slice(int(routes.first[i]), int(routes.first[i + 1]))
        centres = stepper.work.P[routes.point[own]] + routes.laid[own, CENTRE:KEPT]
        for k, (a, b) in enumerate(pairwise(compiled.scene.wires[name].ends)):
            one, other = routes.radius[own][k : k + 2]
            apart = float(np.linalg.norm(centres[k + 1] - centres[k]))
            if not 0.0 < one + other >= apart / (1.0 + CLOSE):
                continue
            if min(one, other) > 0.0:
                return f"pulleys {a!r} and {b!r} are inside each other, {distance(apart)} apart along wire {name!r}"
            wheel, end = (a, b) if one > 0.0 else (b, a)
            return (
                f"wire {name!r} has no straight part left between {end!r} and pulley {wheel!r}, whose centre is "
                f"{distance(apart)} away"
            )
    return ""


def _extension(cables: Cables, c: int, q: Floats) -> float:
    first = int(cables.q[c]) + (0 if cables.root[c] < 0 else 3) + (4 if cables.joint[c] == BALL else 2)
    return float(q[first : cables.q[c + 1] : 3].sum())


def _extension_rate(cables: Cables, c: int, v: Floats) -> float:
    first = int(cables.v[c]) + (0 if cables.root[c] < 0 else 3) + (3 if cables.joint[c] == BALL else 2)
    return float(v[first : cables.v[c + 1] : 3].sum())


def _stretched(stepper: Stepper, paths: Paths, block: Block, last: Block | None, time: float) -> RefusedError:
    compiled, limit = stepper.compiled, stepper.stretch_limit
    rows = compiled.model.wires.row
    gap, sheaves = stepper.work.gap[rows], compiled.model.sheaves
    if sheaves is not None:  # of what is stretched most of their parts
        gap[sheaves.wire] = np.minimum.reduceat(stepper.work.gap[sheaves.row], sheaves.first[:-1])
    length = block.drive.length[min(block.row + 1, len(block.drive.length) - 1), : len(rows)]  # joints are behind
    stretch = -gap / length
    stretch[compiled.model.wires.elastic] = -np.inf
    worst = int(np.argmax(stretch))
    names = tuple(compiled.massless[i] for i in np.argsort(-stretch) if stretch[i] > limit)
    far = _soon_out_of_reach(stepper, paths)
    if far is not None and not set(names).isdisjoint(far.wires):
        return out_of_reach(far, time)
    speed = max(-float(stepper.work.rate[rows[worst]]), 0.0) + 0.0  # not −0
    wires = _listed(names).removesuffix(" are").removesuffix(" is")
    # The stretch of a step is of order h² at least. Less than half of the step with which this one would be allowed,
    # rounded down: nets in free fall stretch their wires by twice as much later on.
    smaller = _round_down(0.4 * stepper.h * float(np.sqrt(limit / stretch[worst])))
    advice = f"; use a smaller step, here of {smaller:g} s or less"
    leap = _leap(stepper, block, float(-gap[worst]))
    if leap:
        cause, advice = leap, "; declare a motion that is continuous"
    elif length[worst] < SHORT * (long := compiled.scene.wires[compiled.massless[worst]].length_at_start()):
        cause = (
            f"hauled in to {distance(float(length[worst]))} of {long:g} m, it is almost nothing, and what swings on it "
            "goes the faster the shorter it is"
        )
        advice = "; stop hauling it in before that"
    elif last is not None and STATUS_FLAGS["closest"] in last.record.status[last.first : last.stop]:
        cause, advice = "the wires contradict each other, as they did by less in the step before", OVERDETERMINED
    elif stepper.h * speed < 0.5 * -gap[worst]:  # what known motions do in a step is not it
        cause = f"the loads move too far, or collide too hard, for one step of {stepper.h:.6g} s"
    else:
        cause = f"known motions drive its ends apart at {speed:.6g} m/s, and the load cannot follow in one step"
    return RefusedError(
        f"at t = {time:.6g} s {wires} would stretch by {distance(-gap[worst])}, more than "
        f"{limit:g} of the length (stretch_limit): {cause}{advice}",
        time=time,
        wires=names,
        speed=speed,
    )


def _leap(stepper: Stepper, block: Block, stretch: float) -> str:
    """Which robot, or length of a wire, is somewhere else from one step to the next, farther than its speed takes it.

    stretch : what it would explain [m]; half of it is enough
    """
    h, names = stepper.h, stepper.compiled.driver.names
    first = max(block.row - 1, 0)  # the BDF methods tell a step late
    beyond = _beyond(block.drive, h, first, block.row + 2)
    if not (beyond > 0.5 * stretch).any():
        return ""
    i = int(np.argmax(beyond))
    begin = stepper.time - (block.row - first) * h
    fine = np.linspace(begin, stepper.time + h, FINE * (block.row + 1 - first) + 1)
    if not _beyond(stepper.compiled.driver.sample(fine), h / FINE)[i] > 0.5 * stretch:
        return ""  # it moves as it should, and the steps are long
    return f"the {names[i]} jumps by {distance(float(beyond[i]))} at once, which no speed of its motion explains"


def _beyond(drive: Drive, h: float, first: int = 0, last: int | None = None) -> Floats:
    """How far robots, and lengths of wires, go in a step of h [s] at most beyond what their speeds explain [m].

    first, last : the rows of the drive from the one to before the other
    """
    k = slice(first, last)
    known = (drive.robot[k], drive.robot_rate[k]), (drive.length[k, :, None], drive.length_rate[k, :, None])
    steps = (np.diff(x, axis=0) - 0.5 * h * (v[1:] + v[:-1]) for x, v in known)
    return np.concatenate([np.linalg.norm(one, axis=-1).max(axis=0, initial=0.0) for one in steps])


def _round_down(value: float) -> float:
    """To one significant digit."""
    unit = 10.0 ** np.floor(np.log10(value))
    return float(f"{np.floor(value / unit) * unit:.1g}")


def _soon_out_of_reach(stepper: Stepper, paths: Paths) -> Overreach | None:
    """Robots that are out of reach within the next steps: they are why a wire stretches now."""
    try:
        _, drive = stepper.drive(AHEAD)
    except SimulationError:  # a known motion that is not finite there
        return None
    return paths.overreach(drive, stepper.state.q, stepper.h, stepper.schedule.absent())


def _kinds(stepper: Stepper, owners: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Owners of rows that are not joints, and joints."""
    joints = stepper.compiled.scene.joints
    return tuple(name for name in owners if name not in joints), tuple(name for name in owners if name in joints)


def _listed(wires: tuple[str, ...], joints: tuple[str, ...] = ()) -> str:
    """ "wires left and right are", cut after six names; "wire left and joint hinge are"."""
    both = " and ".join(_names(kind, names) for kind, names in (("wire", wires), ("joint", joints)) if names)
    return f"{both} are" if len(wires) + len(joints) > 1 else f"{both} is"


def _names(kind: str, names: tuple[str, ...]) -> str:
    shown = [*names[:6], *([f"{len(names) - 6} more"] if len(names) > 6 else [])]
    text = shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " and " + shown[-1]
    return f"{kind}s {text}" if len(names) > 1 else f"{kind} {text}"
