"""Many processes that fetch the same thing at once; each runs `python -m Integration.crowd ARGUMENTS`.

Arguments: socket, session, count, in flight at once, URL. It says `ready` when it has joined the session,
waits for a line, fetches, and prints the statuses it got as JSON.
"""

from __future__ import annotations

import collections
import json
import subprocess
import sys
from pathlib import Path

from Integration.wire import Peer, RemoteError
from Support.daemon import PROJECT, Daemon

PROCESSES = 8


class Crowd:
    """Processes that have joined a session and wait for the word to fetch."""

    def __init__(
        self,
        daemon: Daemon,
        session: str,
        url: str,
        count: int,
        window: int = 125,
        processes: int = PROCESSES,
    ) -> None:
        share = count // processes
        arguments = [str(daemon.socket), session, str(share), str(window), url]
        command = [sys.executable, "-m", "Integration.crowd", *arguments]
        pipe = subprocess.PIPE
        self.members = [
            subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=PROJECT / "Tests")
            for _ in range(processes)
        ]
        for member in self.members:
            assert member.stdout is not None
            assert member.stdout.readline() == "ready\n"

    def start(self) -> None:
        for member in self.members:
            assert member.stdin is not None
            member.stdin.write("go\n")
            member.stdin.flush()

    def outcomes(self) -> collections.Counter[str]:
        total: collections.Counter[str] = collections.Counter()
        for member in self.members:
            output, _ = member.communicate(timeout=100)
            total.update(json.loads(output))
        return total


def main() -> None:
    path, session, count, window, url = sys.argv[1:6]
    with Peer(Path(path), checked=False) as peer:
        peer.open(session)
        print("ready", flush=True)
        sys.stdin.readline()
        outcomes: collections.Counter[str] = collections.Counter()
        waiting: collections.deque[int] = collections.deque()
        left = int(count)
        while left or waiting:
            while left and len(waiting) < int(window):
                waiting.append(peer.start_fetch(session, url))
                left -= 1
            try:
                outcomes[str(peer.result(waiting.popleft(), 100)["status"])] += 1
            except RemoteError as error:
                outcomes[error.kind] += 1
        print(json.dumps(outcomes), flush=True)


if __name__ == "__main__":
    main()
