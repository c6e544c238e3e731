"""Where bodies were put by hand, held against what a start is held against: hard wires, joints, hard ground.

A step from there would pull a body back at once: a wire stretched by 1 mm throws it at 1 m/s in a step of 1 ms, with a
tension that nothing bears.
"""

from __future__ import annotations

import numpy as np

from towsim.errors import RefusedError, SimulationError
from towsim.methods.block import Block
from towsim.methods.schedule import left_by_a_step
from towsim.methods.stepper import Stepper
from towsim.model.arrays import Flags, Floats, Ints
from towsim.model.compile import Compiled
from towsim.results.summary import distance
from towsim.run.arm_poses import torn


def refused_here(stepper: Stepper, block: Block) -> SimulationError | None:
    """Why no step is taken from the last row of a block, where a run is, or None; see ``refused_places``."""
    last = slice(block.stop - 1, block.stop)
    gap, length = block.record.gap[last], block.drive.length[last]
    refused = refused_places(stepper, gap, length, stepper.work.off[None], np.array([stepper.time])).get(0)
    return refused or refused_arms(stepper, block.drive.robot[block.stop - 1], stepper.state.q, stepper.time)


def refused_arms(stepper: Stepper, robot: Floats, q: Floats, time: float) -> SimulationError | None:
    """Why no step is taken from the poses in q, with robots there (n_robots, 3), where reduced joints are torn."""
    found = torn(stepper, robot, q, float(left_by_a_step(stepper, 0.0)))
    if found is None:
        return None
    name, far, unit = found
    return _refused(f"joint {name} is open by {distance(far) if unit == 'm' else f'{far:.3g} rad'}", time, (name,))


def refused_places(
    stepper: Stepper, gap: Floats, length: Floats, off: Flags, time: Floats
) -> dict[int, SimulationError]:
    """Why no step is taken from places that were given by hand, by their numbers.

    Parameters
    ----------
    gap : (m, nr) of the rows there;  length : (m, nw) of the massless wires [m]
    off : (m, n) which of what can be off is
    time : (m,) reached [s]
    """
    compiled = stepper.compiled
    slack = left_by_a_step(stepper, _lengths(compiled, length))  # as of an attached wire
    if compiled.model.switches is not None:
        for k, row in enumerate(compiled.model.switches.row.tolist()):
            slack[off[:, k], row] = np.inf
    free, tied = _hard(compiled)
    beyond = np.zeros(gap.shape)
    beyond[:, free], beyond[:, tied] = -gap[:, free], np.abs(gap[:, tied])
    beyond[~(beyond > slack)] = 0.0
    beyond[np.isnan(gap)] = np.inf
    bad = np.flatnonzero(beyond.any(axis=1)).tolist()
    return {i: _refusal(compiled, beyond[i], length[i], float(time[i])) for i in bad}


def _refusal(compiled: Compiled, beyond: Floats, length: Floats, time: float) -> SimulationError:
    """What is said of rows that are so far (nr,) beyond what a step may leave."""
    worst = int(np.argmax(beyond))
    name, scene = compiled.owners[worst], compiled.scene
    how_far = distance(float(beyond[worst]))
    if np.isinf(beyond[worst]):
        what = f"wire {name} has no way over its pulleys: one is inside the next, or an end in it, or is to turn over"
    elif name in compiled.massless:
        what = f"wire {name} is stretched by {how_far}, of {length[compiled.massless.index(name)]:.6g} m"
    elif name in scene.joints:
        what = f"joint {name} is open by {how_far}"
    elif name in compiled.cable_names:
        what = f"the end of cable {name} is {how_far} away from what it is tied to"
    else:
        what = f"contact {name} lies {how_far} below the ground"
    wires = tuple(dict.fromkeys(compiled.owners[row] for row in np.argsort(-beyond) if beyond[row]))
    return _refused(what, time, wires)


def _refused(what: str, time: float, wires: tuple[str, ...]) -> RefusedError:
    return RefusedError(
        f"at t = {time:.6g} s {what}, as bodies were put by hand: no step is taken from there; before the next step "
        "place what hangs together so that all of it fits, or feed wires first",
        time=time,
        wires=wires,
    )


def _lengths(compiled: Compiled, length: Floats) -> Floats:
    """Lengths (m, nw) of the massless wires in the places of their rows (m, nr), 0 for other rows."""
    found = np.zeros((len(length), len(compiled.owners)))
    wires, sheaves = compiled.model.wires, compiled.model.sheaves
    found[:, wires.row] = length[:, : len(wires.row)]
    if sheaves is not None:
        found[:, sheaves.row] = np.repeat(length[:, sheaves.wire], np.diff(sheaves.first), axis=1)
    return found


def _hard(compiled: Compiled) -> tuple[Ints, Ints]:
    """Rows whose gaps must not be negative, and rows whose gaps must be zero, without those that give way."""
    model, springs = compiled.model, compiled.model.springs
    free = np.concatenate([model.wires.row, model.contacts.row[:, 0]])
    if model.sheaves is not None:  # a wire over wheels that it turns has a row a part
        free = np.concatenate(
            [np.delete(model.wires.row, model.sheaves.wire), model.sheaves.row, free[len(model.wires.row) :]]
        )
    if springs is not None:
        free = np.setdiff1d(free, springs.row)
    tied = model.balls.row.ravel()
    if model.joints is not None:
        tied = np.concatenate([tied, model.joints.tilts.row, model.joints.rails.row])
    return free, tied
