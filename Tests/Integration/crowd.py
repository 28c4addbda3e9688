"""One of many processes that fetch the same thing at once: `python -m Integration.crowd ARGUMENTS`.

Arguments: socket, session, count, in flight at once, URL. It says `ready` when it has joined the session,
waits for a line, fetches, and prints the statuses it got as JSON.
"""

from __future__ import annotations

import collections
import json
import sys
from pathlib import Path

from Integration.wire import Peer, RemoteError


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
