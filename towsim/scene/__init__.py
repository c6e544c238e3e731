"""DECLARE: what the user says about a scene; validated, frozen, SI; the same from Python and from YAML."""

from towsim.scene.bodies import Actuator, Body, Drag, Shape, Thrust
from towsim.scene.cable import Mrfe, SpringDamper
from towsim.scene.controllers import Carry, SlungLoad, Track, WinchControl
from towsim.scene.data import from_data as scene_from_data
from towsim.scene.formula import Formula
from towsim.scene.ground import Ground, Restitution, Spring
from towsim.scene.joints import Joint
from towsim.scene.material import Material, Section
from towsim.scene.motion import Axes, Circle, Motion, Profile, Sampled, Waypoints
from towsim.scene.parameters import Parameters
from towsim.scene.rotors import Failure, Rotors
from towsim.scene.run import Run
from towsim.scene.scene import Attachment, Scene
from towsim.scene.schema import json_schema
from towsim.scene.sensors import Sensor
from towsim.scene.vehicles import Robot, Vehicle
from towsim.scene.wind import Gust, Turbulence, Wind
from towsim.scene.wires import FREE, Length, LengthPoints, Winch, Wire
from towsim.scene.yamlio import data_from_text, load_scene, save_scene, scene_from_text, scene_to_text

__all__ = [
    "FREE",
    "Actuator",
    "Attachment",
    "Axes",
    "Body",
    "Carry",
    "Circle",
    "Drag",
    "Failure",
    "Formula",
    "Ground",
    "Gust",
    "Joint",
    "Length",
    "LengthPoints",
    "Material",
    "Motion",
    "Mrfe",
    "Parameters",
    "Profile",
    "Restitution",
    "Robot",
    "Rotors",
    "Run",
    "Sampled",
    "Scene",
    "Section",
    "Sensor",
    "Shape",
    "SlungLoad",
    "Spring",
    "SpringDamper",
    "Thrust",
    "Track",
    "Turbulence",
    "Vehicle",
    "Waypoints",
    "Winch",
    "WinchControl",
    "Wind",
    "Wire",
    "data_from_text",
    "json_schema",
    "load_scene",
    "save_scene",
    "scene_from_data",
    "scene_from_text",
    "scene_to_text",
]
