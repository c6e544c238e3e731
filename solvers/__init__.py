"""Linear complementarity problems, mixed ones and those of wires: solvers whose claims are checked.

    >>> import solvers
    >>> problem = solvers.LCP(M=[[2.0, 1.0], [1.0, 2.0]], q=[-5.0, -4.0])
    >>> solution = solvers.solve(problem)  # .z .w .status .residual .certificate .z_unique .message
    >>> solution.status == "solved", solution.z.round(9)
    (True, array([2., 1.]))

Importing this package imports numpy only; each back-end is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from solvers.lazy import lazy

if TYPE_CHECKING:
    from solvers.backends.registry import Backend, available, options_of, register
    from solvers.bench.measure import benchmark
    from solvers.bench.report import Report
    from solvers.box import MCP, BoxSolution
    from solvers.certificates import Exhausted, Farkas, Proof
    from solvers.files import load, save
    from solvers.friction.coulomb import Coulomb, CoulombSolution, solve_coulomb
    from solvers.friction.second_solution import CoulombAnalysis, analyse_coulomb
    from solvers.interface import solve
    from solvers.log import Log
    from solvers.matrix import Envelope
    from solvers.problem import LCP, MLCP, ProblemError, Wires
    from solvers.solution import Answer, Solution
    from solvers.status import Status
    from solvers.uniqueness.analysis import Analysis, analyse
    from solvers.uniqueness.classes import Classes, classify
    from solvers.uniqueness.polytope import Polytope, polytope

_HOME = {
    "Analysis": "uniqueness.analysis",
    "Answer": "solution",
    "Backend": "backends.registry",
    "BoxSolution": "box",
    "Classes": "uniqueness.classes",
    "Coulomb": "friction.coulomb",
    "CoulombAnalysis": "friction.second_solution",
    "CoulombSolution": "friction.coulomb",
    "Envelope": "matrix",
    "Exhausted": "certificates",
    "Farkas": "certificates",
    "LCP": "problem",
    "Log": "log",
    "MCP": "box",
    "MLCP": "problem",
    "Polytope": "uniqueness.polytope",
    "ProblemError": "problem",
    "Report": "bench.report",
    "Proof": "certificates",
    "Solution": "solution",
    "Status": "status",
    "Wires": "problem",
    "analyse": "uniqueness.analysis",
    "analyse_coulomb": "friction.second_solution",
    "available": "backends.registry",
    "benchmark": "bench.measure",
    "classify": "uniqueness.classes",
    "load": "files",
    "options_of": "backends.registry",
    "polytope": "uniqueness.polytope",
    "register": "backends.registry",
    "save": "files",
    "solve": "interface",
    "solve_coulomb": "friction.coulomb",
}

__all__ = [
    "LCP",
    "MCP",
    "MLCP",
    "Analysis",
    "Answer",
    "Backend",
    "BoxSolution",
    "Classes",
    "Coulomb",
    "CoulombAnalysis",
    "CoulombSolution",
    "Envelope",
    "Exhausted",
    "Farkas",
    "Log",
    "Polytope",
    "ProblemError",
    "Proof",
    "Report",
    "Solution",
    "Status",
    "Wires",
    "analyse",
    "analyse_coulomb",
    "available",
    "benchmark",
    "classify",
    "load",
    "options_of",
    "polytope",
    "register",
    "save",
    "solve",
    "solve_coulomb",
]

__getattr__, __dir__ = lazy(__name__, _HOME)
