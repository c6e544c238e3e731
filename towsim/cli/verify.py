"""``towsim verify``."""

from __future__ import annotations

import argparse
import math
from dataclasses import asdict

from towsim.cli.output import as_json, paint, say_when_compiling, table

EPILOG = """\
Checks closed-form solutions and conserved quantities on this machine: error against tolerance, and the order with
which the error falls when the step is halved. Exit code 1 if a check fails.

examples:
  towsim verify                           the cases that come with towsim
  towsim verify free-fall swing           some of them
  towsim verify mine.yaml                 your own: a scene, quantities, formulas in t, tolerances; copy this one:

    verify: 1
    name: lift
    scene:
      bodies: {load: {mass: 2.0, point: true, position: [0, 0, -1]}}
      robots: {crane: {motion: {formula: {x: "0", y: "0", z: "0.5*0.8*t**2"}}}}
      wires: {w: {from: load, to: crane, length: 1.0}}
    duration: 1.0
    checks:
      - {quantity: tension, of: w, expected: "2.0*(9.81 + 0.8)", tolerance: 1e-6, method: shake, step: 1e-3}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare options."""
    parser.add_argument(
        "cases", nargs="*", metavar="CASE-or-FILE", help="names of cases, or files (.yaml); all if none"
    )
    parser.add_argument("--json", action="store_true", help="the findings as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the cases and print the table."""
    from towsim.analysis.verify import verify
    from towsim.analysis.verify_case import built_in, load_case
    from towsim.errors import UsageError
    from towsim.suggest import unknown

    own = {path.stem: path for path in built_in()}
    for word in arguments.cases:
        if word not in own and not word.endswith((".yaml", ".yml")):
            raise UsageError(unknown("case", word, own))
    cases = [load_case(own.get(word, word)) for word in arguments.cases or own]
    say_when_compiling()
    findings = [finding for case in cases for finding in verify(case)]
    failed = sum(not finding.passed for finding in findings)
    if arguments.json:
        print(as_json([asdict(finding) for finding in findings]))
        return 1 if failed else 0
    rows = [("case", "method", "quantity", "expected", "got", "error", "allowed", "order", "verdict")]
    for f in findings:
        order = "-" if math.isnan(f.order) else f"{f.order:.2f}"
        error = "-" if math.isnan(f.error) else f"{f.error:.1e}"
        numbers = ("-", "-") if math.isnan(f.error) else (f"{f.expected:.6g}", f"{f.got:.6g}")
        verdict = paint("ok", "good") if f.passed else f"{paint('FAILED', 'bad')} {f.note}".strip()
        rows.append((f.case, f.method, f.quantity, *numbers, error, f"{f.tolerance:.0e}", order, verdict))
    print(table(rows, head=True))
    print(f"\n{len(findings) - failed} of {len(findings)} checks passed")
    return 1 if failed else 0
