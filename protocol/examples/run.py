#!/usr/bin/env python3
"""Plays transcripts against a daemon: run.py [--client COMMAND] SOCKET [FILE...]

Every line of a transcript has one of the members `about`, `client`, `server`, `origin`, `file`, `configuration`; README.md in this folder
says what they mean. Prints one line per file, exits 1 and shows the difference when one does not hold. With
`--daemon PROGRAM` instead of SOCKET it starts a daemon of its own in a fresh directory. With `--client COMMAND` the
requests go through another client.
"""

import argparse
import collections
import functools
import os
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import clients  # noqa: E402
from daemon import start, stop  # noqa: E402
from player import Connection, Failed, Player  # noqa: E402
from schema import Document  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description="Plays transcripts against a daemon.")
    parser.add_argument("--daemon", metavar="PROGRAM", help="start this daemon instead of using SOCKET")
    parser.add_argument("--client", metavar="COMMAND", help="send the requests through this client")
    parser.add_argument(
        "--hears", metavar="METHOD", action="append", help="the client passes on this notification, and no others that are not named"
    )
    parser.add_argument("arguments", nargs="*", metavar="[SOCKET] [FILE...]")
    options = parser.parse_args()
    files, daemon = list(options.arguments), None
    with tempfile.TemporaryDirectory(prefix="watchword-") as directory:
        if options.daemon:
            os.environ["WATCHWORDD"] = options.daemon
            daemon, path = start(options.daemon, directory)
        elif files:
            path = files.pop(0)
        else:
            parser.error("SOCKET or --daemon is needed")
        try:
            chosen = [Path(file) for file in files] or sorted(HERE.glob("*.jsonl"))
            return play_all(chosen, path, options.client, options.hears)
        finally:
            if daemon:
                stop(daemon, path)


def play_all(files, socket_path, client=None, heard=None):
    document, failures, left_out = Document(HERE.parent), 0, collections.defaultdict(list)
    connect = functools.partial(clients.ClientConnection, client) if client else Connection
    for file in files:
        player = Player(file, socket_path, document, connect)
        try:
            if client:
                player.lines = clients.played(player.lines, heard)
            player.play()
            print(f"ok {file.name}", flush=True)
        except (Failed, OSError, clients.Misspoken) as failure:
            failures += 1
            print(f"not ok {file.name}\n  {failure}", flush=True)
        except clients.Unsendable as reason:
            left_out[str(reason)].append(file.name)
        finally:
            player.close()
    for reason, names in left_out.items():
        print(f"left out: {len(names)} with {reason}: {' '.join(names)}")
    played = len(files) - sum(map(len, left_out.values()))
    print(f"transcripts: {played - failures} of {played} hold")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
