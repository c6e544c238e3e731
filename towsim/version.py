"""The version of towsim."""

__version__ = "0.1.0"
