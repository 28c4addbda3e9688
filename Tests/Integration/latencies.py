"""How long a `ping` took beside each flood, for the option `--latencies`."""

from __future__ import annotations

from dataclasses import dataclass, field

from Support.floods import Flood


@dataclass
class Row:
    worst: float = 0
    pings: int = 0
    outcome: str = ""
    sent: int = 0


@dataclass
class Latencies:
    rows: dict[str, Row] = field(default_factory=dict)

    def note(self, flood: Flood, seconds: float) -> None:
        row = self._row(flood)
        row.worst = max(row.worst, seconds)
        row.pings += 1

    def end(self, flood: Flood, outcome: str, sent: int) -> None:
        row = self._row(flood)
        row.outcome, row.sent = outcome, sent

    def _row(self, flood: Flood) -> Row:
        return self.rows.setdefault(f"{flood.layer.value} {flood.name}", Row())

    def table(self) -> list[str]:
        """One line for each flood: the worst ping, how many there were, how the fetch ended, bytes sent."""
        return [
            f"{row.worst * 1000:8.1f} ms {row.pings:6d} pings {row.sent / 1e6:8.1f} MB  {row.outcome} {name}"
            for name, row in self.rows.items()
        ]
