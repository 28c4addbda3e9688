"""What is to be reached: a bound on a figure, by itself or as a multiple of another peer's."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    """`against` is a peer, or `best` for the best of the others; `workload` where that is not the same."""

    figure: str
    bound: float
    against: str | None = None
    peer: str = "watchword"
    least: bool = False
    workload: str | None = None

    def reached(self, value: float) -> bool:
        return value >= self.bound if self.least else value <= self.bound

    def __str__(self) -> str:
        sign = "≥" if self.least else "≤"
        where = f" in {self.workload}" if self.workload else ""
        beside = f" × {self.against}{where}" if self.against else ""
        return f"{self.peer}: {self.figure} {sign} {self.bound:g}{beside}"
