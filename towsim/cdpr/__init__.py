"""Cable robots before anything moves: lengths, tensions, workspace, stiffness, interference; and scenes that fly them.

>>> from towsim import cdpr
>>> corners = [[-2, 0, 3], [2, 0, 3], [2, 0, 0], [-2, 0, 0]]
>>> holds = [[-0.1, 0, 0.1], [0.1, 0, 0.1], [0.1, 0, -0.1], [-0.1, 0, -0.1]]
>>> robot = cdpr.CableRobot(corners, holds, mass=2.0, least=5.0, most=200.0)
>>> cdpr.lengths(robot, [0, 0, 1.5]).round(3)
array([2.36, 2.36, 2.36, 2.36])
>>> cdpr.tensions(robot, [0, 0, 1.5]).feasible.item()
True
"""

from towsim.cdpr.interference import Clearance, clearance
from towsim.cdpr.kinematics import Cables, Pose, cables, forward, lengths, weight, wrench_map
from towsim.cdpr.robot import CableRobot
from towsim.cdpr.scenes import carriers, from_scene, to_scene
from towsim.cdpr.stiffness import stiffness
from towsim.cdpr.tensions import Tensions, tensions
from towsim.cdpr.workspace import Workspace, box_of_wrenches, grid, reach, workspace

__all__ = [
    "CableRobot",
    "Cables",
    "Clearance",
    "Pose",
    "Tensions",
    "Workspace",
    "box_of_wrenches",
    "cables",
    "carriers",
    "clearance",
    "forward",
    "from_scene",
    "grid",
    "lengths",
    "reach",
    "stiffness",
    "tensions",
    "to_scene",
    "weight",
    "workspace",
    "wrench_map",
]
