"""The results as tables: a row for each peer, medians of the rounds, and below them the goals."""

from __future__ import annotations

import statistics
from collections.abc import Iterable

from Benchmarks import peers
from Benchmarks.goals import Goal
from Benchmarks.workloads import ALL, Shape, Workload

#: By workload, peer and round.
Results = dict[str, dict[str, list[dict[str, float]]]]

#: The figures of a fetch and their columns; a situation's figures are columns by their own names.
COLUMNS = {
    "rate": "a second",
    "p50": "p50 µs",
    "exchanges": "exchanges a fetch",
    "cpu": "CPU µs a fetch",
    "memory": "peak MiB",
    "daemon": "of it the daemon",
    "growth": "daemon grew MiB",
}


def render(results: Results) -> str:
    return "\n\n".join(
        "\n".join(_section(workload, results)) for workload in ALL if results.get(workload.name)
    )


def _section(workload: Workload, results: Results) -> Iterable[str]:
    rows = results[workload.name]
    yield f"{workload.name}: {workload.title}"
    yield ""
    figures = list(dict.fromkeys(figure for rounds in rows.values() for figure in rounds[0]))
    if workload.shape is not Shape.SITUATION:
        figures = [figure for figure in COLUMNS if figure in figures]
    reference = workload.reference if workload.reference in rows else _best(workload, rows)
    ratio = [f"× {reference} (least–most)"] if reference else []
    titles = [COLUMNS.get(figure, figure) for figure in figures]
    if workload.shape is Shape.DOWNLOAD:
        titles[0] = "GB/s"
    cells = [["peer", *titles, *ratio]]
    for peer, rounds in rows.items():
        values = [_shown(_median(rounds, figure)) for figure in figures]
        cells.append([peer, *values, *([_spread(rounds, rows[reference], workload)] if reference else [])])
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for index, row in enumerate(cells):
        first, *others = (
            cell.ljust(width) if not place else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "| " + " | ".join([first, *others]) + " |"
        if index == 0:
            yield (
                "|"
                + "|".join("-" * (width + 1) + (":" if place else "-") for place, width in enumerate(widths))
                + "|"
            )
    yield ""
    for goal in workload.goals:
        yield from _goal(goal, workload, results)


def _ratios(figure: str, rounds: list[dict[str, float]], others: list[dict[str, float]]) -> list[float]:
    """Round by round, because what is compared has to be of one round."""
    pairs = zip(rounds, others, strict=False)
    return [one[figure] / other[figure] for one, other in pairs if other.get(figure) and figure in one]


def _spread(rounds: list[dict[str, float]], others: list[dict[str, float]], workload: Workload) -> str:
    ratios = _ratios(_judged(workload), rounds, others)
    if not ratios:
        return ""
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})"


def _judged(workload: Workload) -> str:
    return "rate" if workload.rate else "p50"


def _best(workload: Workload, rows: dict[str, list[dict[str, float]]]) -> str | None:
    """The fastest of the others."""
    figure = _judged(workload)
    medians = {peer: _median(rounds, figure) for peer, rounds in rows.items() if not peers.is_own(peer)}
    known = {peer: value for peer, value in medians.items() if value is not None}
    return (max if workload.rate else min)(known, key=known.__getitem__, default=None)


def _median(rounds: list[dict[str, float]], figure: str) -> float | None:
    values = [values[figure] for values in rounds if figure in values]
    return statistics.median(values) if values else None


def _shown(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _goal(goal: Goal, workload: Workload, results: Results) -> Iterable[str]:
    own = results[workload.name].get(goal.peer)
    if not own:
        return
    value = _median(own, goal.figure)
    if goal.against:
        rows = results.get(goal.workload or workload.name, {})
        against = _best(workload, rows) if goal.against == "best" else goal.against
        ratios = _ratios(goal.figure, own, rows.get(against or "", []))
        value = statistics.median(ratios) if ratios else None
    if value is None:
        verdict = "not measured"
    else:
        verdict = f"{value:.2f}, {'reached' if goal.reached(value) else 'NOT REACHED'}"
    yield f"- {goal}: {verdict}"
