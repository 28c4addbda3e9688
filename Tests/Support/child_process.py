"""A process that a test started: it never outlives the test run, and its output is kept."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

#: Runs a command that ends with its parent. A `preexec_fn` would copy this process for it, which takes ten
#: times as long as to start both programs.
ENDING_WITH_PARENT = (shutil.which("setpriv") or "setpriv", "--pdeathsig", "TERM")


class ChildProcess:
    """Starts a program with its output in `log`, and stops it by its own process id."""

    def __init__(
        self,
        command: Sequence[str],
        log: Path,
        environment: Mapping[str, str] | None = None,
        pass_descriptors: Sequence[int] = (),
    ) -> None:
        self.log = log
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                [*ENDING_WITH_PARENT, *command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=None if environment is None else dict(environment),
                pass_fds=tuple(pass_descriptors),
            )

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def running(self) -> bool:
        return self.process.poll() is None

    def output(self) -> str:
        return self.log.read_text(errors="replace")

    def wait_until(self, ready: Callable[[], bool], seconds: float = 20) -> None:
        """Polls `ready` while the process lives; a process that ends first is an error with its output."""
        limit = time.monotonic() + seconds
        while not ready():
            if not self.running:
                raise RuntimeError(f"{self.pid} ended early:\n{self.output()}")
            if time.monotonic() > limit:
                raise TimeoutError(f"{self.pid} did not get ready:\n{self.output()}")
            time.sleep(0.01)

    def send_signal(self, number: signal.Signals) -> None:
        if self.running:
            os.kill(self.pid, number)

    def wait(self, seconds: float = 20) -> int:
        return self.process.wait(seconds)

    def stop(self, seconds: float = 10) -> int:
        """Asks with TERM, insists with KILL, and returns the exit status."""
        self.send_signal(signal.SIGTERM)
        try:
            return self.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.wait(seconds)


class AdoptedProcess(ChildProcess):
    """A process that another one has started: it is nobody's child here, and its exit status is not known."""

    def __init__(self, pid: int, log: Path) -> None:
        self.log = log
        self._pid = pid

    @property
    def pid(self) -> int:
        return self._pid

    @property
    def running(self) -> bool:
        try:
            return Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except OSError:
            return False

    def wait(self, seconds: float = 20) -> int:
        limit = time.monotonic() + seconds
        while self.running:
            if time.monotonic() > limit:
                raise TimeoutError(f"{self._pid} did not end:\n{self.output()}")
            time.sleep(0.01)
        return 0

    def stop(self, seconds: float = 10) -> int:
        self.send_signal(signal.SIGTERM)
        try:
            return self.wait(seconds)
        except TimeoutError:
            self.send_signal(signal.SIGKILL)
            raise
