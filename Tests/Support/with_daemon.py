"""Runs a command beside a fresh daemon: `python -m Support.with_daemon COMMAND…`.

`{socket}` in the command stands for the daemon's socket, which is in `WATCHWORD_SOCKET` as well.
"""

from __future__ import annotations

import os
import subprocess
import sys

from Support import signals
from Support.daemon import Daemon


def main(arguments: list[str]) -> int:
    signals.pass_on_defaults()
    daemon = Daemon()
    socket = str(daemon.socket)
    command = [argument.replace("{socket}", socket) for argument in arguments]
    try:
        return subprocess.run(command, env={**os.environ, "WATCHWORD_SOCKET": socket}).returncode
    finally:
        daemon.stop()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
