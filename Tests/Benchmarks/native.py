"""Programs in C beside this file, compiled when first used, and the load that one of them makes."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from Benchmarks import callgrind
from Benchmarks.callers import Batch, Broken, Caller, Sample, Target
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


def load(path: Path, connections: int, window: int, request: str, expected: str) -> Batch:
    """Requests by `raw_caller`, `window` in flight on each connection; each reply holds the expected text."""
    program = str(compiled("raw_caller"))

    def run(count: int) -> Sample:
        numbers = [str(number) for number in (connections, window, count)]
        words = [program, str(path), *numbers, request, expected]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            raise Broken(done.stderr.strip())
        outcome = json.loads(done.stdout)
        return Sample(outcome["seconds"], [outcome["p50"]] if "p50" in outcome else [])

    return run


def fetching(target: Target, params: dict[str, Any]) -> tuple[str, str]:
    """A request for the target, and what its reply holds."""
    body = json.dumps({"text": target.body.decode()}, separators=(",", ":"))
    return f'"method":"fetch","params":{json.dumps(params)}', f'"body":{body}'


@contextmanager
def serving(command: list[str], clients: int, request: str, expected: str) -> Iterator[Caller[Batch]]:
    """Starts a daemon with its socket as the last word; each client has one request in flight."""
    with tempfile.TemporaryDirectory(prefix="watchword-") as name:
        path = Path(name) / "daemon.sock"
        process = ChildProcess([*command, str(path)], Path(name) / "log")
        try:
            process.wait_until(lambda: _accepts(path), callgrind.PATIENCE_SECONDS)
            yield Caller(load(path, clients, 1, request, expected), (process.pid,), own=False)
        finally:
            process.stop(callgrind.PATIENCE_SECONDS)


def _accepts(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as caller:
        return caller.connect_ex(str(path)) == 0
