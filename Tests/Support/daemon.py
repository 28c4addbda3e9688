"""The real daemon, on a socket of its own in a private directory."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from Support.child_process import AdoptedProcess, ChildProcess

PROJECT = Path(__file__).resolve().parents[2]

#: What a sanitizer or the Swift runtime prints when it found a fault.
FAULTS = ("AddressSanitizer", "ThreadSanitizer", "UndefinedBehaviorSanitizer", "Fatal error", "SIGSEGV")


def program(name: str = "watchwordd") -> Path:
    """A built program: the one the environment names, else the debug build."""
    named = os.environ.get(name.upper())
    return Path(named).resolve() if named else PROJECT / ".build" / "debug" / name


def clean_environment(directory: Path) -> dict[str, str]:
    """No proxies, no sockets and no home of the person who runs the tests."""
    kept = {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}
    return {
        **kept,
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "LANG": "C.UTF-8",
        "HOME": str(directory),
        "XDG_RUNTIME_DIR": str(directory),
    }


class Daemon:
    """Starts `watchwordd`, waits for its readiness line, and says at the end whether it behaved."""

    def __init__(
        self,
        options: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        directory: Path | None = None,
        log_level: str = "trace",
        command: Sequence[str] = (),
        patience_seconds: float = 20,
    ) -> None:
        """`command` is for a program that runs the daemon; one that slows it down needs more patience."""
        # The name of a Unix socket holds 107 bytes, so a test's own long directory will not do.
        self.directory = directory or Path(tempfile.mkdtemp(prefix="watchword-"))
        self.socket = self.directory / "watchword.sock"
        self.options = ["--log-level", log_level, *options]
        self.command = list(command) or [str(program())]
        self.patience_seconds = patience_seconds
        self.environment = {**clean_environment(self.directory), **(environment or {})}
        #: How often one has become ready here.
        self.starts = 0
        self.process = self.start()

    def start(self) -> ChildProcess:
        """Starts the program on the same socket and directory (again)."""
        command = [*self.command, "--socket", str(self.socket)]
        command += ["--state-directory", str(self.directory / "state"), *self.options]
        log = self.directory / "daemon.log"
        known = log.stat().st_size if log.exists() else 0
        self.starts += 1
        self.process = ChildProcess(command, log, self.environment)
        self.process.wait_until(
            lambda: f"listening on {self.socket}" in self.output()[known:], self.patience_seconds
        )
        return self.process

    def follow(self) -> None:
        """Waits until this one has ended and the daemon that it has started serves in its place."""
        assert self.process.wait(int(self.patience_seconds)) == 0
        pid = int(re.findall(r"successor=(\d+)", self.output())[-1])
        self.process = AdoptedProcess(pid, self.process.log)
        ready = f"\nlistening on {self.socket}"
        self.starts += 1
        self.process.wait_until(lambda: self.output().count(ready) == self.starts, self.patience_seconds)

    @property
    def pid(self) -> int:
        return self.process.pid

    def output(self) -> str:
        """Everything it printed: the readiness line and its log at the finest level."""
        return self.process.output()

    def resident_bytes(self, peak: bool = False) -> int:
        name = "VmHWM:" if peak else "VmRSS:"
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith(name):
                return int(line.split()[1]) * 1024
        raise RuntimeError("no memory figure for the daemon")

    def descriptors(self) -> dict[str, str]:
        """Open descriptors and what they lead to."""
        found = {}
        for entry in Path(f"/proc/{self.pid}/fd").iterdir():
            try:
                found[entry.name] = str(entry.readlink())
            except FileNotFoundError:
                continue
        return found

    def stop(self) -> None:
        """Ends it; an exit status or an output that shows a fault is an error."""
        ended_early = not self.process.running
        status = self.process.stop(self.patience_seconds)
        output = self.output()
        shutil.rmtree(self.directory, ignore_errors=True)
        faults = [fault for fault in FAULTS if fault in output]
        if ended_early or status != 0 or faults:
            raise AssertionError(
                f"the daemon ended {'early ' if ended_early else ''}with status {status} {faults}:\n"
                + output[-8000:]
            )
