"""Between cable robots and scenes: a robot of a scene's posts and wires, and scenes that fly a path of the platform.

With hard wires the winches pay out L(t), and more cables than the platform has freedoms are overdetermined: their
tensions are not unique. With elastic ones they pay out the unstrained length L0 = L/(1 + T/EA) for the tensions T that
were chosen, so that the run has these tensions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from towsim.cdpr.kinematics import lengths, of_cables
from towsim.cdpr.robot import UPRIGHT, CableRobot, Floats, a_robot, poses
from towsim.cdpr.tensions import tensions
from towsim.cdpr.workspace import workspace
from towsim.errors import UsageError
from towsim.given import a_number, numbers
from towsim.quote import show
from towsim.scene import FREE, Body, Scene, SpringDamper, Wire, scene_from_data
from towsim.scene.expand import a_scene, with_points
from towsim.scene.pulleys import Pulley
from towsim.scene.scene import Attachment
from towsim.suggest import is_one_of, unknown

BODY = "platform"

AT_REST = [
    "mass",
    "point",
    "inertia",
    "shape",
    "position",
    "quaternion",
    "velocity",
    "angular_velocity",
    "points",
    "drag",
]
"""Of what is declared of a body, all that does not act on it at rest, without wind."""

CONSTANT, COMMANDED = (
    "constant forces are the wrench of tensions and workspace",
    "which pushes as controllers say; leave it out",
)


def from_scene(
    scene: Scene, body: str | None = None, *, least: ArrayLike = 0.0, most: ArrayLike = np.inf
) -> CableRobot:
    """The cable robot of a body and the wires that robots hold it by, where they are at t = 0.

    Its platform's origin is the body's centre of mass. A wire over rings has its base at the one next to the platform.
    A wire that is attached later is left out. Ground, and what becomes of the wires later, are not looked at.

    Parameters
    ----------
    body : its name; needed where there are several
    least, most : tensions between which the wires work [N]; a scene does not say

    Raises
    ------
    UsageError : no such body, no wire from a robot to it, or something else that acts on it; by name
    """
    scene = with_points(a_scene(scene))
    names = list(scene.bodies)
    if not names:
        raise UsageError("the scene has no body that could be the platform")
    if body is None and len(names) == 1:
        body = names[0]
    if body not in scene.bodies:
        raise UsageError(unknown("body", body, names) if body else f"name the platform, one of {', '.join(names)}")
    for reason in _foreign(scene, body):
        raise UsageError(f"{reason}; as a cable robot, {body!r} is held by wires to robots, and by nothing else")
    base, platform, stiffness, cables = [], [], [], []
    radius, axis = [], []
    for name, wire in scene.wires.items():
        points = _points(scene, wire, body)
        if not points:
            continue
        (hold, _), (post, wheel) = points[:2]
        at, _, _ = scene.robots[post.owner].sample(np.zeros(1))
        cables.append(name)
        base.append(at[0])
        radius.append(0.0 if wheel is None else wheel.radius)
        axis.append((0.0, 0.0, 1.0) if wheel is None or wheel.swivel is None else wheel.swivel)
        platform.append(hold.offset)
        stiffness.append(np.nan if wire.model == "rigid" else wire.section().axial_stiffness)
    if not cables:
        raise UsageError(f"no wire goes from body {body!r} to a robot at t = 0, so it is no cable robot")
    one = scene.bodies[body]
    return CableRobot(
        np.array(base),
        np.array(platform),
        radius=np.array(radius),
        axis=np.array(axis),
        mass=one.mass,
        inertia=None if one.point else one.inertia_matrix(),
        least=least,  # type: ignore[arg-type]
        most=most,  # type: ignore[arg-type]
        stiffness=None if np.isnan(stiffness).any() else np.array(stiffness),
        gravity=np.array(scene.gravity),
        names=tuple(cables),
    )


def _points(scene: Scene, wire: Wire, body: str) -> list[tuple[Attachment, Pulley | None]]:
    """The points that a wire passes, and their pulleys, from its end on the body; none if it is not there at t = 0."""
    if (wire.attach or 0.0) > 0.0 or 0.0 in (wire.detach, wire.cut):
        return []
    ends = [end for end in wire.ends if end != FREE]
    points = [(scene.attachment(scene.carrier(end)), scene.pulleys.get(end)) for end in ends]
    if all(at.owner != body for at, _ in points):
        return []
    return points if points[0][0].owner == body else points[::-1]


def _foreign(scene: Scene, body: str) -> Iterator[str]:
    """What acts on the body and is no wire to a robot, or one that no cable of a cable robot is like."""
    one = scene.bodies[body]
    if scene.wind != Scene.model_fields["wind"].default and one.drag != Body.model_fields["drag"].default:
        yield f"the wind acts on body {body!r}, which has drag (leave out one of them)"
    for key in one.beyond(AT_REST):
        yield f"body {body!r} has {key} ({COMMANDED if key in ('actuator', 'rotors') else CONSTANT})"
    for name, joint in scene.joints.items():
        if body in (scene.attachment(joint.from_).owner, scene.attachment(joint.to).owner):
            yield f"joint {name!r} holds body {body!r}"
    for name, wire in scene.wires.items():
        points = _points(scene, wire, body)
        if points:
            yield from (f"wire {name!r} {what}" for what in _unlike(wire, points))


def _unlike(wire: Wire, points: list[tuple[Attachment, Pulley | None]]) -> Iterator[str]:
    (_, own), *others = points
    if isinstance(wire.model, SpringDamper):
        yield "is a spring, which also pushes"
    if wire.from_ == FREE:
        yield "has a free end"
    if own is not None:
        yield "has its pulley on the body"
    for at, _ in others:
        if not at.is_robot:
            yield f"passes or ends at body {at.owner!r}"
    if wire.via and wire.model != "rigid":  # more of it stretches than from the ring to the platform
        yield "stretches on both sides of a ring; give it model: rigid"
    if wire.via and others[0][1] is not None:
        yield "comes over a block, and only pulleys with a swivel are known here"


def to_scene(
    robot: CableRobot,
    time: ArrayLike,
    position: ArrayLike,
    quaternion: ArrayLike = UPRIGHT,
    *,
    model: str = "elastic",
    rule: str = "centre",
    damping: float = 0.0,
    shape: Any = None,
    name: str = "cable-robot",
    step: float = 1e-3,
) -> Scene:
    """A scene whose winches take the platform along a path; ``towsim.simulate`` flies it.

    A platform without inertia whose cables all hold it at its centre of mass is a point mass.

    Parameters
    ----------
    time : (k,) instants [s], the first one 0; lengths between them follow a cubic spline at rest at both ends
    position, quaternion : k poses of the platform's origin, to be reached then
    model : "elastic" (needs the robot's ``stiffness``: lengths are such that cables have the tensions chosen), or
        "rigid" (exact lengths)
    rule : of the tensions, see :func:`tensions`; accelerations of the centre of mass are those of the spline through it
    damping : axial damping ηA of elastic cables [N s]
    shape : of the body, for drawing, as in a scene file: {"box": [x, y, z]}
    name, step : of the scene and its run [s]

    Raises
    ------
    UsageError : a pose that cannot be held, by its time; an argument that is none
    """
    a_robot(robot)
    if not is_one_of(model, ("elastic", "rigid")):
        raise UsageError(unknown("model", model, ("elastic", "rigid")))
    if model == "elastic" and robot.stiffness is None:
        raise UsageError("elastic cables need a stiffness; give CableRobot(stiffness=EA), in N, or model='rigid'")
    if a_number("damping", damping) < 0.0:
        raise UsageError(f"damping must be >= 0 N s, got {show(damping)}")
    arms = robot.platform - robot.centre
    point = robot.inertia is None and not arms.any()
    if robot.inertia is None and not point:
        raise UsageError("a platform of some extent needs its inertia; give CableRobot(inertia=...), in kg m²")
    t, x, R = _a_path(time, position, quaternion)
    if t[0] != 0.0:
        raise UsageError(f"a path in a scene begins at t = 0, got {t[0]:g} s")
    q = np.broadcast_to(np.asarray(quaternion, float), (len(t), 4))
    middle = x + np.einsum("kij,j->ki", R, robot.centre)
    paid = lengths(robot, x, q)
    if model == "elastic":
        a = _accelerations(t, middle)
        found = tensions(robot, x, q, rule=rule, acceleration=a)
        if not found.feasible.all():
            k = int(np.argmin(found.feasible))
            why = workspace(robot, x[k], q[k], acceleration=a[k]).why(0)
            raise UsageError(f"the cables cannot hold the platform at t = {t[k]:g} s: {why}")
        assert robot.stiffness is not None
        paid = paid / (1.0 + found.tension / robot.stiffness)
    material: dict[str, Any] = {}
    if model == "elastic" and robot.stiffness is not None:
        sections = ({"axial_stiffness": float(EA), "axial_damping": damping} for EA in robot.stiffness)
        material = dict(zip(robot.names, sections, strict=True))
    body: dict[str, Any] = {"mass": robot.mass, "position": middle[0].tolist()}
    if robot.inertia is None:
        body["point"] = True
    else:
        body |= {"inertia": robot.inertia.tolist(), "quaternion": q[0].tolist()}
        body["points"] = dict(zip(robot.names, arms.tolist(), strict=True))
    if shape is not None:
        body["shape"] = shape
    wires = {
        cable: {
            "from": BODY if point else f"{BODY}.{cable}",
            "to": f"{'pulley' if robot.radius[i] > 0.0 else 'base'}-{cable}",
            "length": {"waypoints": {"t": t.tolist(), "length": paid[:, i].tolist(), "kind": "cubic"}},
            "model": model,
            **({"material": material[cable]} if material else {}),
        }
        for i, cable in enumerate(robot.names)
    }
    return scene_from_data(
        {
            "name": name,
            "gravity": robot.gravity.tolist(),
            "bodies": {BODY: body},
            "robots": {f"base-{cable}": {"position": robot.base[i].tolist()} for i, cable in enumerate(robot.names)},
            "pulleys": {
                f"pulley-{cable}": {
                    "at": f"base-{cable}",
                    "radius": float(robot.radius[i]),
                    "swivel": robot.axis[i].tolist(),
                }
                for i, cable in enumerate(robot.names)
                if robot.radius[i] > 0.0
            },
            "wires": wires,
            "run": {"duration": float(t[-1]), "step": step},
        }
    )


def carriers(
    robot: CableRobot,
    time: ArrayLike,
    position: ArrayLike,
    quaternion: ArrayLike = UPRIGHT,
    *,
    length: ArrayLike,
    spread: ArrayLike,
) -> Floats:
    """Paths (k, n, 3) of n robots that carry the platform along a path by cables of constant lengths [m].

    The pulls f_i are those closest to the preferred ones that balance the platform, Σ f_i = m (a − g) and
    Σ (r_i − r_c) × f_i = 0: f = f⁰ + Gᵀ (G Gᵀ)⁺ (b − G f⁰); robot i is at B_i + L_i f_i/|f_i|.

    Parameters
    ----------
    time : (k,) [s];  position, quaternion : k poses of the platform's origin (rotating slowly: its spin is left out)
    length : (n,) of the cables [m], or one number
    spread : (n, 3) directions in which the cables would best go, base axes; each is thought to bear its share

    Raises
    ------
    UsageError : a tension would be outside the robot's limits, by cable and time; lengths that are not > 0; other
        times than poses, or times that do not rise
    """
    n = len(a_robot(robot).names)
    t, x, R = _a_path(time, position, quaternion)
    k = len(t)
    L = numbers("lengths", length)
    L = of_cables(robot, np.full(n, L) if L.ndim == 0 else L)
    wish = numbers("spread", spread)
    if wish.shape != (n, 3) or not np.isfinite(wish).all() or not wish.any(axis=1).all():
        raise UsageError(f"spread must be ({n}, 3), finite and none of them zero; got {show(spread)}")
    a = _accelerations(t, x + np.einsum("kij,j->ki", R, robot.centre))
    force = robot.mass * (a - robot.gravity)
    wish = wish / np.linalg.norm(wish, axis=1, keepdims=True)
    lift = float((wish @ _up(robot)).sum())
    if not lift > 0.0:
        raise UsageError("spread must point upwards on the whole: the robots carry the platform")
    share = wish * (np.linalg.norm(force, axis=1) / lift)[:, None, None]
    arm = np.einsum("kij,nj->kni", R, robot.platform - robot.centre)
    x_r, y_r, z_r = np.moveaxis(arm, -1, 0)
    o, one = np.zeros_like(x_r), np.ones_like(x_r)
    rows = ((one, o, o), (o, one, o), (o, o, one), (o, -z_r, y_r), (z_r, o, -x_r), (-y_r, x_r, o))
    G = np.stack([np.stack(row, axis=-1) for row in rows], axis=1)
    flat = G.reshape(k, 6, 3 * n)
    b = np.concatenate([force, np.zeros((k, 3))], axis=1)
    left = b - np.einsum("kij,kj->ki", flat, share.reshape(k, -1))
    f = (share.reshape(k, -1) + np.einsum("kij,kj->ki", np.linalg.pinv(flat), left)).reshape(k, n, 3)
    size = np.linalg.norm(f, axis=-1)
    wrong = (size < robot.least) | (size > robot.most) | (size == 0.0)
    if wrong.any():
        at, i = np.argwhere(wrong)[0]
        raise UsageError(
            f"cable {robot.names[i]!r} would bear {size[at, i]:.4g} N at t = {t[at]:g} s, outside its limits; "
            "change spread, the path or the limits"
        )
    held = x[:, None] + np.einsum("kij,nj->kni", R, robot.platform)
    return np.asarray(held + L[:, None] * f / size[..., None])


def _a_path(time: ArrayLike, position: ArrayLike, quaternion: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Times (k,), positions (k, 3) and rotations (k, 3, 3) of a path. Raises UsageError."""
    t, (x, R) = numbers("times", time), poses(position, quaternion)
    if t.ndim != 1 or len(t) < 2 or x.shape != (len(t), 3):
        raise UsageError(f"a path needs two or more times, and as many poses; got {t.shape} and {x.shape}")
    if not (np.isfinite(t).all() and (np.diff(t) > 0.0).all()):
        raise UsageError(f"the times of a path must rise, got {show(time)} s")
    return t, x, R


def _accelerations(t: Floats, x: Floats) -> Floats:
    """Second derivatives (k, 3) of the spline through points that is at rest at both ends."""
    from scipy.interpolate import CubicSpline

    return np.asarray(CubicSpline(t, x, bc_type="clamped")(t, 2))


def _up(robot: CableRobot) -> Floats:
    size = float(np.linalg.norm(robot.gravity))
    return -robot.gravity / size if size > 0.0 else np.array([0.0, 0.0, 1.0])
