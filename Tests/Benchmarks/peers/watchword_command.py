"""The command line: `watchword fetch` beside a daemon that has been answered."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import watchword

from Benchmarks import sidecar
from Benchmarks.callers import Caller, Target
from Support.daemon import program

WORKLOADS = {"W7", "W7s", "W8"}


@contextmanager
def command(target: Target) -> Iterator[Caller[list[str]]]:
    with sidecar.started() as daemon, watchword.Client(daemon.socket) as client:
        answer = sidecar.delegate(target)
        session = client.session(sidecar.SESSION, sidecar.configuration(target), on_challenge=answer)
        if target.certificate:
            certificate, key = (Path(file).read_text() for file in (target.certificate, target.key))
            session.add_identity(watchword.Identity.from_pem(certificate, key))
        session.fetch(target.url)
        where = ["--socket", str(daemon.socket), "--session", sidecar.SESSION]
        words = [str(program("watchword")), "fetch", "-f", *where, target.url]
        examine = sidecar.examination(daemon.socket, target, 1)
        yield Caller(words, (daemon.pid,), own=False, fetched=1, examine=examine)
