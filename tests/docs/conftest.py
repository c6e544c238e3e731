"""Commands of towsim that a shell starts, carried out in this process.

An example is run by ``bash`` as it is written, with its pipes, redirections and ``&&``. But its ``towsim`` hands words,
folder and streams over to the test, in which everything is imported and compiled already: a process of its own takes
two to four seconds for that, before it begins. The installed command itself is run by ``.ci/run`` and in ``tests/cli``.
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import pytest

from towsim import cli

COMMAND = """#!{python} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as line:
    line.connect({address!r})
    socket.send_fds(line, [json.dumps([os.getcwd(), *sys.argv[1:]]).encode()], [0, 1, 2])
    sys.exit(int(line.recv(8) or 70))
"""
LONGEST = 65536
"""Of a command and the folder it is run in, in bytes."""


@pytest.fixture
def bash():
    """Runs a script, and returns its exit code and what it printed."""
    return run


def run(script: str) -> subprocess.CompletedProcess:
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        line = stack.enter_context(socket.socket(socket.AF_UNIX))
        line.bind(str(folder / "line"))
        line.listen()
        line.settimeout(0.05)
        command = folder / "towsim"
        command.write_text(COMMAND.format(python=sys.executable, address=line.getsockname()))
        command.chmod(0o755)
        script = f'towsim() {{ {command} "$@"; }}\n{script}'
        printed = stack.enter_context(tempfile.TemporaryFile("w+"))
        shell = subprocess.Popen(["bash", "-euxo", "pipefail", "-c", script], stdout=printed, stderr=printed)
        while shell.poll() is None:
            with contextlib.suppress(TimeoutError):
                answer(line.accept()[0])
        printed.seek(0)
        return subprocess.CompletedProcess(script, shell.returncode, printed.read())


def answer(line):
    """Carry out the command at the other end of this line."""
    with line:
        line.setblocking(True)
        text, streams, *_ = socket.recv_fds(line, LONGEST, 3)
        folder, *words = json.loads(text)
        with contextlib.chdir(folder), these_streams(streams), warnings.catch_warnings():
            warnings.simplefilter("default")
            try:
                code = cli.main(words)
            except SystemExit as leaves:
                code = leaves.code or 0
        line.send(str(code).encode())


@contextlib.contextmanager
def these_streams(streams):
    """Within, the standard streams of this process and of those that it starts are these; they are closed behind."""
    own = [os.dup(k) for k in range(3)]
    for k in range(3):
        os.dup2(streams[k], k)
        os.close(streams[k])
    with open(1, "w", closefd=False) as out, open(2, "w", closefd=False) as err:
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                yield
        finally:
            with contextlib.suppress(BrokenPipeError):
                out.flush()
            err.flush()
            for k in range(3):
                os.dup2(own[k], k)
                os.close(own[k])
