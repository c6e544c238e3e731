"""DECLARE: what the user says about a scene; validated, frozen, SI; the same from Python and from YAML."""

from towsim.scene.bodies import Body, Drag, Shape, Thrust
from towsim.scene.data import from_data as scene_from_data
from towsim.scene.formula import Formula
from towsim.scene.ground import Ground
from towsim.scene.joints import Joint
from towsim.scene.motion import Axes, Circle, Motion, Robot, Sampled, Waypoints
from towsim.scene.run import Run
from towsim.scene.scene import Attachment, Scene
from towsim.scene.schema import json_schema
from towsim.scene.wires import Length, LengthPoints, Mrfe, Wire
from towsim.scene.yamlio import data_from_text, load_scene, save_scene, scene_from_text, scene_to_text

__all__ = [
    "Attachment",
    "Axes",
    "Body",
    "Circle",
    "Drag",
    "Formula",
    "Ground",
    "Joint",
    "Length",
    "LengthPoints",
    "Motion",
    "Mrfe",
    "Robot",
    "Run",
    "Sampled",
    "Scene",
    "Shape",
    "Thrust",
    "Waypoints",
    "Wire",
    "data_from_text",
    "json_schema",
    "load_scene",
    "save_scene",
    "scene_from_data",
    "scene_from_text",
    "scene_to_text",
]
