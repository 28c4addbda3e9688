"""Signals of the programs that a test starts: at their defaults, whatever the shell ignores."""

from __future__ import annotations

import signal

#: `nohup` ignores SIGHUP, `&` in a script ignores SIGINT and SIGQUIT, Python ignores SIGPIPE.
IGNORED = (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGPIPE)


def _go_on(number: int, frame: object) -> None:
    pass


def pass_on_defaults() -> None:
    """A program inherits what is ignored here, but not what is caught: `execve` sets that to its default.

    So this process catches what it ignored, and goes on.
    """
    for number in IGNORED:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, _go_on)
