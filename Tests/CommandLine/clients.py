"""The clients that a script may call, side by side: the command and `watchword.sh`."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

from CommandLine.conftest import PATIENCE, Command
from Support.daemon import PROJECT

Client = Callable[..., "subprocess.CompletedProcess[bytes]"]


def command(watchword: Command, verb: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return watchword(verb, *arguments)


def shell(watchword: Command, verb: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    script = f'. "{PROJECT}/clients/shell/watchword.sh"; ww_{verb} "$@"'
    return subprocess.run(
        ["dash", "-c", script, "sh", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=watchword.environment,
        timeout=PATIENCE,
        start_new_session=True,
    )
