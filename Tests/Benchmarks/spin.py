"""Keeps one core awake at idle priority, so that a wake-up does not cost a virtual machine's exit."""

from __future__ import annotations

import os
import sys


def main(core: int) -> None:
    parent = os.getppid()
    os.sched_setaffinity(0, [core])
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    while os.getppid() == parent:
        for _ in range(100_000):
            pass


if __name__ == "__main__":
    main(int(sys.argv[1]))
