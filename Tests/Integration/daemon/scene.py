"""Starts the program and looks at how it ended."""

from __future__ import annotations

import subprocess
from pathlib import Path

from Integration.wire import PATIENCE
from Support.daemon import FAULTS, clean_environment, program


def run(directory: Path, *options: str, **environment: str) -> subprocess.Popen[str]:
    """A daemon with its outputs apart, for the tests of what it prints and how it ends."""
    return subprocess.Popen(
        [str(program()), *options],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**clean_environment(directory), **environment},
    )


def end(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Terminates it if need be; its status and what else it printed."""
    process.terminate()
    output, errors = process.communicate(timeout=PATIENCE)
    assert not [fault for fault in FAULTS if fault in errors], errors
    return process.returncode, output, errors


def ready(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


NEIGHBOUR = """
import json, os, socket, sys
os.setuid(65534)
peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
peer.connect(sys.argv[1])
with peer.makefile("rw") as lines:
    for line in sys.argv[2:]:
        print(line, file=lines, flush=True)
        while "id" not in (answer := json.loads(lines.readline())):
            pass
        print(answer.get("error", {}).get("data", {}).get("kind") or json.dumps(answer["result"]))
"""
