"""Runs the workloads in rounds, one peer after the other in each, and prints the table."""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from Benchmarks import peers, servers, table
from Benchmarks.servers import Site
from Benchmarks.workloads import ALL, BY_NAME, Shape, Workload
from Support.child_process import ChildProcess
from Support.daemon import clean_environment

#: No measurement takes so long; one that does hangs.
PATIENCE_SECONDS = 300


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="Tests/Benchmarks/run", description=__doc__)
    parser.add_argument("-w", metavar="W1,W3", default=",".join(BY_NAME), help="the workloads [all of them]")
    parser.add_argument("-r", metavar="RUNS", type=int, default=5, help="rounds, of which medians count [5]")
    parser.add_argument("-p", metavar="REGEX", default="", help="only peers whose names match")
    parser.add_argument("--spin", action="store_true", help="keep the cores awake (see the README)")
    parser.add_argument("--check", action="store_true", help="facts only: ours alone, few fetches, no times")
    options = parser.parse_args()
    unknown = [name for name in options.w.split(",") if name not in BY_NAME]
    if unknown:
        parser.error(f"no workload {', '.join(unknown)}; there are {', '.join(BY_NAME)}")
    if options.r < 1:
        parser.error("at least one round")
    return options


def _participants(options: argparse.Namespace) -> dict[str, set[str]]:
    """Peers that are installed, and the workloads they take part in."""
    found = {}
    for name in peers.names():
        if not re.search(options.p, name) or (options.check and not peers.is_own(name)):
            continue
        try:
            found[name] = set(peers.load(name).WORKLOADS)
        except ImportError as error:
            print(f"benchmarks: without {name}: {error}", file=sys.stderr)
    return found


def _measure(name: str, workload: Workload, site: Site, tiny: bool) -> dict[str, float] | None:
    """In a process of its own, so that what it costs is its own; None when it failed."""
    job = json.dumps({"peer": name, "workload": workload.name, "site": site.as_json(), "tiny": tiny})
    command = [sys.executable, "-m", "Benchmarks.measure", job]
    environment = _environment(site)
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE_SECONDS, env=environment
        )
    except subprocess.TimeoutExpired:
        print(f"benchmarks: {workload.name} {name}: no end", file=sys.stderr)
        return None
    if done.returncode != 0:
        print(f"benchmarks: {workload.name} {name}: {done.stderr.strip()[-2000:]}", file=sys.stderr)
        return None
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def _environment(site: Site) -> dict[str, str]:
    """Without the proxies, authorities and daemons of the person who measures."""
    kept = ("PYTHONPATH", "WATCHWORDD", "WATCHWORD")
    ours = {name: value for name, value in os.environ.items() if name in kept}
    return clean_environment(Path(site.logs[0]).parent) | ours


def _plan(options: argparse.Namespace, chosen: list[Workload]) -> Iterator[tuple[int, Workload, str]]:
    """Round by round and workload by workload, the peers in an order that rotates."""
    taking_part = _participants(options)
    for number in range(1 if options.check else options.r):
        for workload in chosen:
            if number > 0 and workload.shape is Shape.COUNTED:
                continue  # a count is the same in every round
            names = [name for name, workloads in taking_part.items() if workload.name in workloads]
            turn = number % len(names) if names else 0
            for name in names[turn:] + names[:turn]:
                yield number, workload, name


def _run(options: argparse.Namespace, site: Site, chosen: list[Workload]) -> tuple[table.Results, int]:
    """The figures, and how many measurements failed."""
    results: table.Results = {}
    failed = 0
    for number, workload, name in _plan(options, chosen):
        if not options.check:
            print(f"round {number + 1} of {options.r}: {workload.name} {name}", file=sys.stderr)
        figures = _measure(name, workload, site, options.check)
        if figures is None:
            failed += 1
            continue
        results.setdefault(workload.name, {}).setdefault(name, {})[number] = figures
        if options.check:
            print(f"{workload.name} {name}: the facts hold", flush=True)
    return results, failed


def main() -> int:
    options = _options()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    chosen = [workload for workload in ALL if workload.name in options.w.split(",")]
    if options.check:
        chosen = [workload for workload in chosen if workload.tiny]
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="watchword-benchmarks-")))
        directory.chmod(0o755)
        site = stack.enter_context(servers.serving(directory, options.check))
        for core in os.sched_getaffinity(0) if options.spin else ():
            command = [sys.executable, "-m", "Benchmarks.spin", str(core)]
            stack.callback(ChildProcess(command, directory / "spin.log").stop)
        results, failed = _run(options, site, chosen)
    if options.check:
        print(f"benchmarks: {sum(map(len, results.values()))} held, {failed} failed")
    else:
        print(table.render(results))
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
