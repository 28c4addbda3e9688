"""The page that says of each exit code and each error what happened, and what to do."""

from __future__ import annotations

import re

from . import schema
from .contract import ErrorRow, ExitStatus
from .tables import row

#: The groups of errors by the first two digits of their codes; the standard codes have another.
GROUPS = {
    10: "Sessions and connections to the daemon",
    11: "Fetches",
    12: "Challenges, credentials and certificates",
    13: "The network, the server and the proxy",
    14: "What is kept",
}
REQUESTS = "Messages to the daemon"

INTRODUCTION = """# Troubleshooting

<!-- Made from protocol/errors.json and protocol/exit-statuses.json by protocol/generate. -->

What the exit codes of `watchword` and the errors of the daemon mean, and what to do. The command prints a
line that begins with `watchword:`, and often one that begins with `hint:`. In Python an error is an
exception: `timedOut` is `watchword.TimedOut`. Its `data` has the members below that begin with `data`.

- `watchword explain URL` shows which credential, certificate and proxy a fetch would use, and why not others.
- `watchword fetch -v URL` shows the heads and the challenges, and no secret.
- `watchword doctor` finds the usual mistakes, such as an older daemon, a wrong socket or a locked vault.
- `watchword status` shows who waits for an answer and what is busy, `--all` everything.
- The log, `watchwordd.log`, is beside the socket.
- `watchword credentials history` shows who was asked, who answered, and which credential went where.

The [cookbook](cookbook.md) has the commands for common tasks.
"""


def markdown(rows: list[ErrorRow], statuses: list[ExitStatus]) -> str:
    """The whole page."""
    return (
        INTRODUCTION
        + "\n## Exit codes\n\nFrom 6 on they are curl's. "
        + "An error of the daemon that has no code below ends with 1.\n\n"
        + "| code | what happened | what to do |\n|---:|---|---|\n"
        + "".join(row(str(one.status), _prose(one.meaning), _prose(one.remedy)) for one in statuses)
        + "\n## Errors of the daemon\n"
        + "".join(
            f"\n### {group}\n\n| error | code | what happened | what to do |\n|---|---:|---|---|\n"
            + "".join(_row(one) for one in members)
            for group, members in _groups(rows).items()
        )
    )


def _groups(rows: list[ErrorRow]) -> dict[str, list[ErrorRow]]:
    """In the order of the table, with the messages to the daemon last: only authors of clients meet those."""
    groups: dict[str, list[ErrorRow]] = {}
    for one in rows:
        groups.setdefault(GROUPS.get(one.code // 100, REQUESTS), []).append(one)
    if requests := groups.pop(REQUESTS, None):
        groups[REQUESTS] = requests
    return groups


def _prose(text: str) -> str:
    """With the names of members as code."""
    return schema.sentence(re.sub(r"(?<!`)\bdata\.\w+", r"`\g<0>`", text))


def _row(one: ErrorRow) -> str:
    status = str(one.exit_status) if one.exit_status != 1 else ""
    return row(f"`{one.kind}`", status, _prose(one.meaning), _prose(one.remedy))
