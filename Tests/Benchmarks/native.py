"""Programs in C beside this file, compiled when first used, and the load that one of them makes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from Benchmarks.callers import Batch, Broken, Caller, Sample
from Support.child_process import ChildProcess
from Support.daemon import PROJECT

PING = '"method":"ping"'
PONG = '"result":{}'


def compiled(name: str, *libraries: str) -> Path:
    """The program, made again when its source is newer."""
    source = Path(__file__).with_name(f"{name}.c")
    program = PROJECT / ".build" / "benchmarks" / name
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        program.parent.mkdir(parents=True, exist_ok=True)
        partial = program.with_suffix(f".{os.getpid()}")
        compiler = shutil.which("cc") or "clang"  # which every Swift toolchain brings
        command = [compiler, "-O2", "-Wall", "-Wextra", "-o", str(partial), str(source), *libraries]
        subprocess.run(command, check=True)
        partial.rename(program)
    return program


def load(socket: Path, connections: int, window: int, request: str, expected: str) -> Batch:
    """Requests by `raw_caller`, `window` in flight on each connection; each reply holds the expected text."""
    program = str(compiled("raw_caller"))

    def run(count: int) -> Sample:
        numbers = [str(number) for number in (connections, window, count)]
        words = [program, str(socket), *numbers, request, expected]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            raise Broken(done.stderr.strip())
        outcome = json.loads(done.stdout)
        return Sample(outcome["seconds"], [outcome["p50"]] if "p50" in outcome else [])

    return run


@contextmanager
def echo(command: list[str], clients: int) -> Iterator[Caller[Batch]]:
    """A daemon that answers pings and nothing else, started with its socket as the last word."""
    with tempfile.TemporaryDirectory(prefix="watchword-") as name:
        socket = Path(name) / "echo.sock"
        process = ChildProcess([*command, str(socket)], Path(name) / "log")
        try:
            process.wait_until(socket.exists)
            yield Caller(load(socket, clients, 1, PING, PONG), (process.pid,), own=False)
        finally:
            process.stop()
