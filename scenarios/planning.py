"""Four tasks for ``towsim.plan``: each function returns its arguments, ``towsim.plan(**planning.shaped_crane())``.

The scenes hold a first guess that misses the goal, or passes a limit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from towsim import Plan
    from towsim.scene import Scene

Task = dict[str, Any]
"""Arguments of ``towsim.plan``."""

INFINITE = float("inf")


def _eased(share: Any) -> Any:
    """From 0 to 1 with rest at both ends, 3 s² − 2 s³."""
    return share * share * (3.0 - 2.0 * share)


def shaped_crane(*, travel: float = 4.0, duration: float = 4.0, points: int = 9) -> Task:
    """A crane travels while it hoists its load from 3 m to 1.5 m below the trolley; no swing is left at the end.

    Parameters
    ----------
    travel : way of the trolley [m]
    duration : time for it [s]
    points : of the trolley's path, through which a cubic spline goes
    """
    from towsim.scene import scene_from_data

    t = np.linspace(0.0, duration, points)
    path = [[float(x), 0.0, 0.0] for x in travel * _eased(t / duration)]
    scene = scene_from_data(
        {
            "name": "shaped-crane",
            "robots": {"trolley": {"motion": {"waypoints": {"t": t.tolist(), "position": path, "kind": "cubic"}}}},
            "bodies": {"load": {"mass": 500.0, "point": True, "position": [0.0, 0.0, -3.0]}},
            "wires": {
                "rope": {
                    "from": "trolley",
                    "to": "load",
                    "length": {"waypoints": {"t": [0.0, duration], "length": [3.0, 1.5]}},
                }
            },
            "run": {"step": 1e-2, "duration": duration, "method": "shake"},
        }
    )

    def swing(run: Any) -> Any:
        """How far the load is off its trolley [m]."""
        load, trolley = run["position"].sel(body="load"), run["robot_position"].sel(robot="trolley")
        return load[:, 0] - trolley[:, 0]

    return {
        "scene": scene,
        "free": [f"robots.trolley.motion.waypoints.position.{i}.0" for i in range(1, points - 1)],
        "goal": {"position[load,x]": travel, "velocity[load,x]": 0.0},
        "limits": {swing: (-0.5, 0.5), "tension[rope]": (1000.0, 6000.0)},
        "of": ("position", "robot_position"),
    }


def beam_through_gap(*, length: float = 3.0, gap: float = 1.2, duration: float = 8.0, points: int = 7) -> Task:
    """Two robots carry a beam through a gap that is narrower than the beam is long, and put it across again.

    The gap is between two round posts, of a radius of 0.1 m, at x = 4 m. Their surfaces and the beam's axis keep 0.15 m
    from each other. At the end the beam rests.

    Parameters
    ----------
    length : of the beam [m]
    gap : between the posts' axes [m]
    duration : of the carriage [s]
    points : of each robot's path, through which a cubic spline goes
    """
    from towsim.scene import scene_from_data

    half, far, t = 0.5 * length, 8.0, np.linspace(0.0, duration, points)
    turned = np.radians(75.0) * np.sin(np.pi * t / duration) ** 2  # the first guess: not enough
    ways = {
        name: [
            [float(x + side * half * np.sin(angle)), float(side * half * np.cos(angle)), 2.0]
            for x, angle in zip(far * _eased(t / duration), turned, strict=True)
        ]
        for name, side in (("left", 1.0), ("right", -1.0))
    }
    beam = {
        "mass": 20.0,
        "shape": {"box": [0.1, length, 0.1]},
        "position": [0.0, 0.0, 0.5],
        "points": {"left": [0.0, half, 0.0], "right": [0.0, -half, 0.0]},
    }
    scene = scene_from_data(
        {
            "name": "beam-through-gap",
            "robots": {
                name: {"motion": {"waypoints": {"t": t.tolist(), "position": way, "kind": "cubic"}}}
                for name, way in ways.items()
            },
            "bodies": {"beam": beam},
            "wires": {name: {"from": name, "to": f"beam.{name}", "length": 1.5} for name in ways},
            "run": {"step": 1e-2, "duration": duration, "method": "shake"},
        }
    )
    posts = {"left_post": (0.5 * far, 0.5 * gap), "right_post": (0.5 * far, -0.5 * gap)}

    starts = {
        f"robots.{name}.motion.waypoints.position.{i}.{axis}": way[i][axis]
        for name, way in ways.items()
        for i in range(1, points - 1)
        for axis in (0, 1)
    }
    return {
        "scene": scene,
        "free": [*starts],
        "bounds": {path: (start - 0.6, start + 0.6) for path, start in starts.items()},
        "goal": {
            "position[beam,x]": far,
            "position[beam,y]": 0.0,
            "quaternion[beam,z]": 0.0,
            "velocity[beam,x]": 0.0,
            "velocity[beam,y]": 0.0,
            "angular_velocity[beam,z]": 0.0,
        },
        "limits": {
            **{_beside(name, at, half): (0.25, INFINITE) for name, at in posts.items()},
            "tension[left]": (50.0, 150.0),
            "tension[right]": (50.0, 150.0),
        },
        "of": ("position", "quaternion"),
    }


def _beside(name: str, post: tuple[float, float], half: float) -> Callable[[Any], Any]:
    """How far the axis of the beam, of half a length, passes from a post's, seen from above [m]."""

    def distance(run: Any) -> Any:
        q, centre = run["quaternion"].sel(body="beam"), run["position"].sel(body="beam")
        x, y = centre[:, 0] - post[0], centre[:, 1] - post[1]
        ahead, aside = 2.0 * (q[:, 1] * q[:, 2] - q[:, 0] * q[:, 3]), 1.0 - 2.0 * (q[:, 1] ** 2 + q[:, 3] ** 2)
        along = np.clip(-(x * ahead + y * aside), -half, half)
        return np.hypot(x + along * ahead, y + along * aside)

    distance.__name__ = name
    return distance


def slalom(*, duration: float = 14.0, points: int = 15, after: Scene | None = None) -> Task:
    """Four quadcopters carry a box between three poles, on alternate sides, the third wire slack half-way.

    The vehicles are robots whose paths are planned: all four by one course, the third beside it also by itself. The
    wires pull all the way, by 0.3 to 15 N. The box passes each pole by 0.4 m, and rests at the end.

    Two searches, see ``slack_slalom``. In the first one all wires stay taut, the third pulls by 0.5 N at most from 6.9
    to 7.1 s: that decides the course. The second one goes on from there, by a centimetre at most, which keeps it among
    the courses whose wires open and close at the same places: the third wire is slack from 6.9 to 7.1 s, its ends
    closer by 10 µm at least than its length.

    Parameters
    ----------
    duration : of the flight [s]
    points : of the course, through which a cubic spline goes
    after : the scene that the first search has found, for the second one
    """
    from towsim.scene import scene_from_data

    far, slope, spread, t = 9.0, 0.3, 0.3, np.linspace(0.0, duration, points)
    up = 1.0 / np.hypot(1.0, slope)
    corners = {"q1": (1.0, 1.0), "q2": (-1.0, 1.0), "q3": (-1.0, -1.0), "q4": (1.0, -1.0)}
    lugs, robots, wires = {}, {}, {}
    course = far * _eased(t / duration)
    for name, (x, y) in corners.items():
        lug = np.array([spread * x, spread * y, 0.35])
        # Turned from radial by turns: wires that all meet in one point would leave their tensions open.
        lean = np.arctan2(y, x) + np.radians(40.0) * x * y
        place = lug + up * np.array([slope * np.cos(lean), slope * np.sin(lean), 1.0])
        path = [[float(place[0] + ahead), float(place[1]), float(place[2])] for ahead in course]
        lugs[name] = lug.tolist()
        robots[name] = {"motion": {"waypoints": {"t": t.tolist(), "position": path, "kind": "cubic"}}}
        wires[name] = {"from": name, "to": f"box.{name}", "length": 1.0}
    box = {"mass": 1.6, "shape": {"box": [0.6, 0.6, 0.3]}, "points": lugs}
    scene = scene_from_data(
        {
            "name": "slalom",
            "robots": robots,
            "bodies": {"box": box},
            "wires": wires,
            "run": {"step": 1e-2, "duration": duration, "method": "shake"},
        }
    ).project(taut=True)
    place = "robots.{}.motion.waypoints.position.{}.{}".format
    free: list[Any] = [
        {f"course {'xyz'[axis]} {i}": {place(name, i, axis): 1.0 for name in corners}}
        for i in range(1, points - 1)
        for axis in (0, 1)
    ]
    free += [{f"third {'xyz'[axis]} {i}": {place("q3", i, axis): 1.0}} for i in range(5, 10) for axis in range(3)]
    third: tuple[Any, Any] = 0.1, _at_half_way(15.0, 0.1, 0.5)
    bounds = {}
    if after is not None:
        third = _at_half_way(0.1, 0.3, -INFINITE), _at_half_way(15.0, 0.1, -1e-5 * SIGNED)
        bounds = {name: (-0.01, 0.01) for one in free for name in one}
    sides = {"first": (2.5, 1.0), "second": (4.5, -1.0), "third": (6.5, 1.0)}
    return {
        "scene": after or scene,
        "free": free,
        "bounds": bounds,
        "goal": {
            "position[box,x]": far,
            "position[box,y]": 0.0,
            "velocity[box,x]": 0.0,
            "velocity[box,y]": 0.0,
        },
        "limits": {
            **{_beyond(f"{name} pole", x, side): (0.4, INFINITE) for name, (x, side) in sides.items()},
            **{_pull(name): (0.3, 15.0) for name in corners if name != "q3"},
            _pull("q3"): third,
        },
        "of": ("position", "tension", "gap"),
        "tolerance": 1e-6,
    }


def slack_slalom(**options: Any) -> Plan:
    """The plan of ``slalom`` with a third wire that is slack half-way: by two searches, the first for the course.

    A course that is right to a centimetre is enough for the second one, which may move it by as much.

    options : of ``towsim.plan``
    """
    import towsim

    course = towsim.plan(**{**slalom(), "tolerance": 1e-2})
    return towsim.plan(**slalom(after=course.scene), **options)


def _at_half_way(before: float, within: float, then: float) -> Callable[[Any], Any]:
    """A bound of the slalom: another number within so many seconds of 7 s."""
    return lambda time: np.where(np.abs(time - 7.0) <= within, then, before)


SIGNED = 20.0
"""Of a wire's gap [N/m], beside its tension."""


def _pull(name: str) -> Callable[[Any], Any]:
    """Tension of a wire, or how far it is slack, as one number with a sign: one of the two is always zero [N].

    The tension of a slack wire is zero whatever is changed; this says how to make it pull.
    """

    def pull(run: Any) -> Any:
        return run["tension"].sel(wire=name) - SIGNED * run["gap"].sel(wire=name)

    pull.__name__ = f"pull of {name}"
    return pull


def _beyond(name: str, x: float, side: float) -> Callable[[Any], Any]:
    """How far the box passes the pole at (x, 0) on its side, +1 or −1 along y; farther away along x it need not [m]."""

    def distance(run: Any) -> Any:
        place = run["position"].sel(body="box")
        return side * place[:, 1] + 4.0 * (place[:, 0] - x) ** 2

    distance.__name__ = name
    return distance


def fast_hoist(*, duration: float = 3.0, hoist: float = 8.0, points: int = 13) -> Task:
    """A winch hoists a load from rest to rest; the rope is to bear 0.5 to 1.4 of the weight, and to run 4 m/s at most.

    Parameters
    ----------
    duration : time for it [s]; ``shortest`` finds the least
    hoist : height [m]
    points : of the winch's programme, through which a cubic spline goes
    """
    from towsim.scene import scene_from_data

    t, mass = np.linspace(0.0, duration, points), 100.0
    rope = {"t": t.tolist(), "length": (10.0 - hoist * _eased(t / duration)).tolist(), "kind": "cubic"}
    scene = scene_from_data(
        {
            "name": "fast-hoist",
            "robots": {"winch": {"position": [0.0, 0.0, 10.0]}},
            "bodies": {"load": {"mass": mass, "point": True}},
            "wires": {"rope": {"from": "winch", "to": "load", "length": {"waypoints": rope}}},
            "run": {"step": duration / 200, "duration": duration, "method": "shake"},
        }
    )
    weight = 9.81 * mass
    return {
        "scene": scene,
        "free": [f"wires.rope.length.waypoints.length.{i}" for i in range(1, points - 1)],
        "goal": {},
        "limits": {"tension[rope]": (0.5 * weight, 1.4 * weight), "velocity[load,z]": (-0.01, 4.0)},
    }


def least_hoist(hoist: float = 8.0) -> float:
    """Least time of ``fast_hoist`` if the acceleration could jump: all of it, none, all of it downwards [s]."""
    pace, fastest = 1.0 / (0.4 * 9.81) + 1.0 / (0.5 * 9.81), 4.0
    speed = min(fastest, float(np.sqrt(2.0 * hoist / pace)))  # over a short way the fastest is not reached
    return speed * pace + (hoist - 0.5 * speed**2 * pace) / fastest


def shortest(task: Callable[..., Task], low: float, high: float, within: float = 1e-3) -> Plan:
    """The plan of the least duration, by bisection, of a task that longer durations make easier.

    Parameters
    ----------
    task : called with ``duration``
    low, high : durations of which the first is too short, and the second long enough [s]
    within : how far above the least one the duration may be, of itself
    """
    import towsim

    def found(duration: float) -> Plan | None:
        plan = towsim.plan(**task(duration=duration), most_runs=40)
        return plan if plan.converged else None

    best = found(high)
    if best is None:
        raise towsim.UsageError(f"there is no plan of {high:g} s to begin with")
    while high - low > within * high:
        middle = 0.5 * (low + high)
        plan = found(middle)
        low, high, best = (low, middle, plan) if plan is not None else (middle, high, best)
    return best
