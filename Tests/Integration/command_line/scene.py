"""What the tests of the command share."""

from __future__ import annotations

import subprocess

from Integration.wire import PATIENCE
from Support.daemon import Daemon, clean_environment, program
from Support.terminal import Terminal

OK, FAILED, USAGE, AUTHENTICATION, TRUST, NO_DAEMON = range(6)
#: curl's.
CONNECTION, BODY_CUT, STATUS, OUTPUT, INPUT, TIMED_OUT = 7, 18, 22, 23, 26, 28
REDIRECTS, TUNNEL, TOO_LARGE = 47, 56, 63


class Command:
    """Runs `watchword` against the daemon of the test."""

    def __init__(self, daemon: Daemon) -> None:
        self.environment = {**clean_environment(daemon.directory), "WATCHWORD_SOCKET": str(daemon.socket)}
        self.shown = b""

    def __call__(
        self, *arguments: str, send: bytes = b"", **environment: str
    ) -> subprocess.CompletedProcess[bytes]:
        done = subprocess.run(
            [str(program("watchword")), *arguments],
            input=send,
            capture_output=True,
            env={**self.environment, **environment},
            timeout=PATIENCE,
            start_new_session=True,
        )
        assert done.returncode >= 0, done.stderr
        self.shown += done.stdout + done.stderr
        return done

    def start(self, *arguments: str, stdin: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
        """Without waiting for its end."""
        return subprocess.Popen(
            [str(program("watchword")), *arguments],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environment,
            start_new_session=True,
        )

    def on_terminal(self, *arguments: str) -> Terminal:
        return Terminal([str(program("watchword")), *arguments], self.environment)


def complaint(done: subprocess.CompletedProcess[bytes]) -> str:
    """Its message for people: one that begins with its name."""
    text = done.stderr.decode()
    assert text.startswith("watchword: "), text
    return text
