"""What a run leaves behind: recorder, result, files."""

from towsim.results.events import Event, Events
from towsim.results.files import open_result
from towsim.results.labelled import Labelled
from towsim.results.recorder import Recorder
from towsim.results.result import Result
from towsim.results.summary import Summary
from towsim.results.variables import STATUS_FLAGS, TAKEN, VARIABLES, Variable

__all__ = [
    "STATUS_FLAGS",
    "TAKEN",
    "VARIABLES",
    "Event",
    "Events",
    "Labelled",
    "Recorder",
    "Result",
    "Summary",
    "Variable",
    "open_result",
]
