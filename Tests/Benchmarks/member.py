"""One process of a crowd: gets ready, waits for a line, fetches, and prints what it took as JSON."""

from __future__ import annotations

import json
import sys

from Benchmarks import peers, shapes
from Benchmarks.accounting import Meter
from Benchmarks.callers import Target


def _wait_for_the_word() -> None:
    print("ready", flush=True)
    sys.stdin.readline()


def main(job: str) -> None:
    values = json.loads(job)
    meter = Meter(barrier=_wait_for_the_word)
    peer, target = peers.load(values["peer"]), Target(**values["target"])
    sample = shapes.together(peer, target, values["count"], values["window"], meter, warm=False)
    print(json.dumps({"cpu": meter.cpu, "peak": meter.peak, "latencies": sample.latencies}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
