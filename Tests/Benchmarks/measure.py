"""Measures one peer in one workload, in a process of its own, and prints the figures as JSON."""

from __future__ import annotations

import importlib
import json
import statistics
import sys
from typing import Any

from Benchmarks import peers, shapes
from Benchmarks.accounting import MEBIBYTE, Meter
from Benchmarks.callers import Broken, Sample, require
from Benchmarks.servers import Site
from Benchmarks.workloads import BY_NAME, Shape, Workload

Figures = dict[str, float]

#: One body each, measured in bytes.
LARGE = (Shape.DOWNLOAD, Shape.UPLOAD)

#: What a daemon may grow by while a body of any size passes through it.
FLAT_BYTES = 16 * MEBIBYTE


def measure(name: str, workload: Workload, site: Site, tiny: bool) -> Figures:
    count = workload.tiny if tiny else workload.count
    if workload.shape is Shape.SITUATION:
        figures: Figures = importlib.import_module(f"Benchmarks.situations.{workload.name}").measure(
            site, count
        )
        return figures
    peer, meter = peers.load(name), Meter()
    if workload.shape is Shape.COUNTED:
        return shapes.counted(peer, site.targets.get(workload.target), count)
    if workload.shape is Shape.CALLS:
        return _figures(workload, shapes.calls(peer, count, workload.window, meter), count, meter)
    target = site.targets[workload.target]
    before = site.logged()
    match workload.shape:
        case Shape.ONE_BY_ONE:
            sample = shapes.one_by_one(peer, target, count, meter)
        case Shape.TOGETHER:
            sample = shapes.together(peer, target, count, workload.window, meter)
        case Shape.CROWD:
            sample = shapes.crowd(name, peer, target, count, workload.window, meter)
            count *= shapes.PROCESSES
        case Shape.COMMANDS:
            sample = shapes.commands(peer, target, count, meter)
        case Shape.DOWNLOAD:
            sample = shapes.download(peer, target, meter)
        case Shape.UPLOAD:
            sample = shapes.upload(peer, target, meter)
    exchanges = site.logged(before + meter.fetches) - before
    if peers.is_own(name):
        _check(workload, target.challenges, exchanges, meter)
    figures = _figures(workload, sample, count, meter) | {"exchanges": exchanges / meter.fetches}
    if workload.shape in LARGE:
        figures["rate"] = target.size / sample.seconds / 1e9
        figures["growth"] = meter.daemon_growth / MEBIBYTE
    return figures


def _check(workload: Workload, challenged: int, exchanges: int, meter: Meter) -> None:
    """Every fetch is one exchange; the first one of a session is one more where it is challenged."""
    if workload.shape is Shape.CROWD:  # all that were in flight when the question came
        challenged *= workload.window * shapes.PROCESSES
    spare = exchanges - meter.fetches
    require(0 <= spare <= challenged, f"{exchanges} exchanges for {meter.fetches} fetches")
    if workload.shape in LARGE:
        require(meter.daemon_growth < FLAT_BYTES, f"the daemon grew by {meter.daemon_growth} bytes")


def _figures(workload: Workload, sample: Sample, count: int, meter: Meter) -> Figures:
    figures = {"rate": count / sample.seconds, "cpu": meter.cpu / count * 1e6}
    if sample.latencies:
        figures["p50"] = statistics.median(sample.latencies) * 1e6
    if meter.peak:
        figures["memory"] = meter.peak / MEBIBYTE
    if meter.daemon_peak is not None:
        figures["daemon"] = meter.daemon_peak / MEBIBYTE
    return figures


def main(job: str) -> int:
    values: dict[str, Any] = json.loads(job)
    workload, site = BY_NAME[values["workload"]], Site.from_json(values["site"])
    try:
        figures = measure(values["peer"], workload, site, values["tiny"])
    except Broken as fault:
        print(fault, file=sys.stderr)
        return 1
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
