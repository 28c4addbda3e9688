"""Counts what a daemon executes, on a processor that callgrind simulates: no other program changes it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from Benchmarks.callers import require

#: The sizes of the caches are given, so that a figure does not depend on the processor it was counted on.
OPTIONS = (
    *("--tool=callgrind", "--cache-sim=yes", "--branch-sim=yes"),
    *("--I1=65536,4,64", "--D1=32768,8,64", "--LL=8388608,16,64"),
    *("--skip-plt=no", "--vgdb=no", "--quiet"),
)
#: What a miss of a first-level cache costs, or a mispredicted branch.
PENALTY_CYCLES = 10
#: A simulated program takes its time to start and to end.
PATIENCE_SECONDS = 90
#: Swift gives each process another seed, and so another order to what it hashes.
ENVIRONMENT = {"SWIFT_DETERMINISTIC_HASHING": "1"}


class Counting:
    """One run of a daemon, from its start to its end.

    callgrind gives figures in between only to who may trace the daemon, which the daemon forbids.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._output = directory / "counts"

    def command(self, program: Path) -> list[str]:
        """Runs the program without its debug information, which valgrind cannot read where it is Swift's."""
        require(shutil.which("valgrind") is not None, "valgrind is not installed")
        stripped = self._directory / program.name
        objcopy = shutil.which("objcopy") or "llvm-objcopy"  # which every Swift toolchain brings
        subprocess.run([objcopy, "--strip-debug", str(program), str(stripped)], check=True)
        return ["valgrind", *OPTIONS, f"--callgrind-out-file={self._output}", str(stripped)]

    def figures(self) -> dict[str, float]:
        """Of the whole run, once it has ended."""
        lines = self._output.read_text().splitlines()
        words = {line.partition(": ")[0]: line.split()[1:] for line in lines if ": " in line}
        counts = dict(zip(words["events"], map(int, words["totals"]), strict=True))
        figures = {
            "instructions": counts["Ir"],
            "I1 misses": counts["I1mr"],
            "D1 misses": counts["D1mr"] + counts["D1mw"],
            "mispredicted": counts["Bcm"] + counts["Bim"],
        }
        instructions, *penalties = figures.values()
        return {**figures, "estimated cycles": instructions + PENALTY_CYCLES * sum(penalties)}
