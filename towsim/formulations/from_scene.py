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
from towsim.scene import Joint, Mrfe, Scene, Wire
from towsim.scene.expand import with_points


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
    UsageError : something in the scene that the smooth formulations do not know, or a loop; by name
    """
    for reason in _foreign(scene):
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


def _foreign(scene: Scene) -> Iterator[str]:
    """What cannot be part of a smooth tree."""
    for name, wire in scene.wires.items():
        if not isinstance(wire.model, Mrfe):
            what = "a spring" if wire.springy and wire.model != "elastic" else f"{wire.model}: it pulls or hangs slack"
            yield f"wire {name!r} is {what}"
        elif wire.from_ == "free" or not isinstance(wire.length, float) or wire.model.rest != "straight":
            yield f"cable {name!r} has a free end, a winch or a bent rest shape"
    if scene.ground is not None:
        yield "the scene has a ground"
    for name, body in scene.bodies.items():
        for field in ("drag", "force", "thrust", "torque", "rotors"):
            if getattr(body, field) != type(body).model_fields[field].default:
                yield f"body {name!r} has {field}"
    for name, joint in scene.joints.items():
        if joint.kind == "fixed" or joint.limits is not None or joint.detach is not None or joint.motion is not None:
            what = (
                "is fixed"
                if joint.kind == "fixed"
                else "has limits"
                if joint.limits is not None
                else "moves as is told"
                if joint.motion is not None
                else "comes apart"
            )
            yield f"joint {name!r} {what}"


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
