"""What processes cost, as the kernel counts it."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from Benchmarks.callers import Caller

MEBIBYTE = 1 << 20


def cpu_seconds(pid: int) -> float:
    """Of all its threads, to the nanosecond: the clock that clock_getcpuclockid(3) names."""
    return time.clock_gettime((~pid << 3) | 2)


def own_cpu_seconds() -> float:
    """Of this process and of the children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def memory(pid: int | str, peak: bool = False) -> int:
    """Resident bytes, now or at most; getrusage(2) would count what the parent held at the fork."""
    name = "VmHWM:" if peak else "VmRSS:"
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


def switches(pid: int) -> int:
    """How often its threads began to run."""
    total = 0
    for thread in Path(f"/proc/{pid}/task").iterdir():
        for line in (thread / "status").read_text().splitlines():
            if "ctxt_switches" in line:
                total += int(line.split()[1])
    return total


class Meter:
    """Counts around the timed part: processor time of caller and daemon, and memory at the end."""

    def __init__(self, barrier: Callable[[], None] = lambda: None) -> None:
        self._barrier = barrier
        #: Those that went before the timed part included.
        self.fetches = 0
        self.cpu = 0.0
        self.peak = 0
        #: Of the daemon alone; None where there is none.
        self.daemon_peak: int | None = None
        self.daemon_growth = 0

    @contextmanager
    def around(self, caller: Caller[Any]) -> Iterator[None]:
        self._barrier()
        self.fetches += caller.fetched
        before = self._total(caller.processes)
        resident = sum(map(memory, caller.processes))
        yield
        self.cpu += self._total(caller.processes) - before
        self.peak += memory("self", peak=True) if caller.own else 0
        if caller.processes:
            self.daemon_peak = sum(memory(pid, peak=True) for pid in caller.processes)
            self.daemon_growth = self.daemon_peak - resident
            self.peak += self.daemon_peak
        caller.examine()

    @staticmethod
    def _total(processes: Sequence[int]) -> float:
        return own_cpu_seconds() + sum(map(cpu_seconds, processes))
