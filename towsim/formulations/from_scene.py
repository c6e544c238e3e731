"""A scene as a tree of links (see model/arm_builder), for the smooth formulations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from towsim.errors import UsageError
from towsim.formulations.links import links_of
from towsim.formulations.motion import Motion
from towsim.model.arm_builder import ArmBuilder
from towsim.model.arrays import Floats
from towsim.model.trees import Tree, compile_tree
from towsim.scene import Body, Joint, Mrfe, Robot, Scene, Wire
from towsim.scene.base import Declared
from towsim.scene.expand import a_scene, with_points
from towsim.scene.joints import JointSpring


@dataclass(frozen=True)
class SceneTree:
    """A scene's tree, and where its bodies are on it.

    Attributes
    ----------
    tree : the links
    bodies : link of each of the scene's bodies, and its centre in the link's frame [m]
    whole : whether every link is one of the bodies
    """

    scene: Scene
    tree: Tree
    bodies: dict[str, tuple[int, Floats]]
    whole: bool

    def positions(self, motion: Motion) -> Floats:
        """Positions (n, nb, 3) of the scene's bodies."""
        link = [i for i, _ in self.bodies.values()]
        arm = np.array([at for _, at in self.bodies.values()]) - self.tree.arrays.centre[self.tree.joint[link]]
        return np.asarray(motion.position[:, link] + np.einsum("tbij,bj->tbi", motion.rotation[:, link], arm))


def scene_tree(scene: Scene) -> SceneTree:
    """The tree that a scene's bodies, joints and MRFE cables form.

    Raises
    ------
    UsageError : something in the scene that the smooth formulations do not know, a slack cable, or a loop; by name
    """
    for reason in _foreign(a_scene(scene)):
        raise UsageError(f"{reason}; formulations take bodies, ball, revolute and prismatic joints, and mrfe cables")
    scene = with_points(scene)
    pairs: list[tuple[str, Joint | Wire]] = [*scene.joints.items(), *scene.wires.items()]
    builder = ArmBuilder(scene, scene.bodies, pairs, _base(scene, [pair for _, pair in pairs]))
    tree = compile_tree(builder.build(), gravity=scene.gravity, robots=dict(scene.robots))
    number = {name: i for i, name in enumerate(tree.links)}
    found = SceneTree(
        scene,
        tree,
        {name: (number[link], at) for name, (link, at) in builder.bodies.items()},
        set(tree.links) == set(scene.bodies) and builder.plain,
    )
    _check_velocities(found)
    return found


def _base(scene: Scene, pairs: Iterable[Joint | Wire]) -> str | None:
    """The robot that carries something and moves; the base of others is the world."""
    robots = {end for pair in pairs for end in (pair.from_, pair.to) if end in scene.robots}
    moving = sorted(name for name in robots if scene.robots[name].motion is not None)
    if len(moving) > 1:
        raise UsageError(f"robots {', '.join(moving)} move; a tree has one base")
    return moving[0] if moving else None


TAKEN: dict[type[Declared], str] = {
    # Wind acts on drag alone, a seed on sensors, and sensors on controllers.
    Scene: "schema_version name description parameters gravity wind bodies robots wires joints sensors seed run",
    Body: "mass point inertia shape position quaternion velocity angular_velocity points",
    Robot: "position motion orientation points vehicle",  # what a vehicle is matters with dynamics
    Joint: "kind from_ to axis spring damping motor reduced",
    JointSpring: "stiffness rest",
    Wire: "from_ to length material model",
    Mrfe: "elements first_joint from_end to_end",
}
"""Fields that the smooth formulations know; any other one is refused where it is not as by default."""


def _foreign(scene: Scene) -> Iterator[str]:
    """What cannot be part of a smooth tree."""
    yield from _unknown("the scene", scene)
    for name, body in scene.bodies.items():
        yield from _unknown(f"body {name!r}", body)
    for name, robot in scene.robots.items():
        yield from _unknown(f"robot {name!r}", robot)
    for name, joint in scene.joints.items():
        if joint.kind == "fixed":
            yield f"joint {name!r} is fixed"
        yield from _unknown(f"joint {name!r}", joint)
        if joint.spring is not None:
            yield from _unknown(f"the spring of joint {name!r}", joint.spring)
    for name, wire in scene.wires.items():
        if not isinstance(wire.model, Mrfe):
            what = "a spring" if wire.springy and wire.model != "elastic" else f"{wire.model}: it pulls or hangs slack"
            yield f"wire {name!r} is {what}"
            continue
        yield from _unknown(f"cable {name!r}", wire)
        yield from _unknown(f"cable {name!r}", wire.model)
        if not isinstance(wire.length, float):
            yield f"cable {name!r} has a length that changes"


def _unknown(owner: str, thing: Declared) -> Iterator[str]:
    return (f"{owner} has {key}" for key in thing.beyond(TAKEN[type(thing)].split()))


def _check_velocities(found: SceneTree) -> None:
    """Refuse a start whose velocities are none that the joints allow."""
    tree = found.tree
    position, rotation, velocity, spin = links_of(tree, 0.0, tree.start, tree.rate)
    for name, (link, at) in found.bodies.items():
        arm = rotation[link] @ (at - tree.arrays.centre[tree.joint[link]])
        body = found.scene.bodies[name]
        v = velocity[link] + np.cross(spin[link], arm)
        scale = 1e-9 * (1.0 + np.abs(v).max() + np.abs(spin[link]).max())
        wrong = np.abs(v - body.velocity).max() > scale
        if wrong or (not body.point and np.abs(spin[link] - body.angular_velocity).max() > scale):
            raise UsageError(
                f"body {name!r} starts with a velocity that its joints do not allow; they would give "
                f"velocity {np.round(v, 9).tolist()} and angular velocity {np.round(spin[link], 9).tolist()}"
            )
        assert np.allclose(position[link] + arm, body.position, atol=1e-9)  # frames have the world's axes at the start
