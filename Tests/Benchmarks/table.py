"""The results as tables: a row for each peer, medians of the rounds, and below them the goals."""

from __future__ import annotations

import statistics
from collections.abc import Iterable

from Benchmarks import peers
from Benchmarks.goals import Goal
from Benchmarks.workloads import ALL, Shape, Workload

#: The figures of one peer in one workload, by round; a round that failed is not there.
Rounds = dict[int, dict[str, float]]
#: By workload and peer.
Results = dict[str, dict[str, Rounds]]

#: The figures of a fetch and their columns; those of a situation or a count are columns by their own names.
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
    figures = list(dict.fromkeys(figure for rounds in rows.values() for figure in _any(rounds)))
    if workload.shape not in (Shape.SITUATION, Shape.COUNTED):
        figures = [figure for figure in COLUMNS if figure in figures]
    reference = workload.reference if workload.reference in rows else _best(workload, rows)
    titles = [COLUMNS.get(figure, figure) for figure in figures]
    if workload.shape is Shape.DOWNLOAD:
        titles[0] = "GB/s"
    cells = [["peer", *titles]]
    if reference:
        cells[0].append(f"× {reference} (least–most)")
    for peer in sorted(rows, key=lambda peer: (not peers.is_own(peer), peer)):
        cells.append([peer, *(_shown(_median(rows[peer], figure)) for figure in figures)])
        if reference:
            cells[-1].append(_spread(_ratios(_judged(workload), rows[peer], rows[reference])))
    yield f"{workload.name}: {workload.title}"
    yield ""
    yield from _aligned(cells)
    yield ""
    for goal in workload.goals:
        yield from _goal(goal, workload, results)


def _any(rounds: Rounds) -> dict[str, float]:
    return next(iter(rounds.values()))


def _aligned(cells: list[list[str]]) -> Iterable[str]:
    """Markdown that can be read as it is: names to the left, figures to the right."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    for first, *others in [cells[0], rule, *cells[1:]]:
        figures = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        yield f"| {' | '.join([first.ljust(widths[0]), *figures])} |"


def _ratios(figure: str, rounds: Rounds, others: Rounds) -> list[float]:
    """Round by round, because what is compared has to be of one round."""
    both = [(rounds[number], others[number]) for number in rounds if number in others]
    return [one[figure] / other[figure] for one, other in both if figure in one and other.get(figure)]


def _spread(ratios: list[float]) -> str:
    if not ratios:
        return ""
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})"


def _judged(workload: Workload) -> str:
    if workload.shape is Shape.COUNTED:
        return "estimated cycles"
    return "rate" if workload.rate else "p50"


def _best(workload: Workload, rows: dict[str, Rounds]) -> str | None:
    """The fastest of the others."""
    figure = _judged(workload)
    medians = {peer: _median(rounds, figure) for peer, rounds in rows.items() if not peers.is_own(peer)}
    known = {peer: value for peer, value in medians.items() if value is not None}
    return (max if workload.rate else min)(known, key=known.__getitem__, default=None)


def _median(rounds: Rounds, figure: str) -> float | None:
    values = [figures[figure] for figures in rounds.values() if figure in figures]
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
        ratios = _ratios(goal.figure, own, rows.get(against or "", {}))
        value = statistics.median(ratios) if ratios else None
    if value is None:
        verdict = "not measured"
    else:
        verdict = f"{value:.2f}, {'reached' if goal.reached(value) else 'NOT REACHED'}"
    yield f"- {goal}: {verdict}"
