"""What the daemon says to the commands beside `fetch`."""

from __future__ import annotations

import os

from Support.fake_daemon import a_challenge

#: As a list names it; a challenge says more of it.
SPACE = {
    name: a_challenge()["protectionSpace"][name]
    for name in ("protocol", "host", "port", "realm", "authenticationMethod", "isProxy")
}
CREDENTIAL = {
    "protectionSpace": SPACE,
    "user": "reader\x1b[31m",
    "kind": "password",
    "persistence": "forSession",
    "isDefault": True,
    "source": "session",
    "limits": None,
    "uses": 3,
    "lastUsed": "2026-11-21T12:00:00Z",
    "created": "2026-11-21T11:00:00Z",
    "secondsLeft": 90,
}
SESSION = {
    "session": "reports",
    "uid": os.getuid(),
    "named": True,
    "holders": 1,
    "tasks": 2,
    "credentials": 1,
    "trust": 5,
    "identities": 0,
    "connections": 4,
    "pendingChallenges": 1,
}
HOLDER = {"pid": 4711, "uid": os.getuid(), "executable": "/usr/bin/python3", "delegate": None}
STATUS = {
    "version": "9.8.7",
    "pid": 1234,
    "uptimeSeconds": 3723.5,
    "socket": "/run/s",
    "residentBytes": 15 << 20,
    "countedBytes": 3 << 20,
    "vault": {
        "path": "/s/vault.sqlite",
        "state": "open",
        "credentials": 3,
        "opensWith": "keyFile",
        "openers": ["keyFile"],
        "reason": None,
    },
    "sessions": [{**SESSION, "holders": [HOLDER], "credentials": [CREDENTIAL]}],
    "challenges": [a_challenge(session="reports")],
    "oldestChallengeSeconds": 90.5,
    "counters": {
        "fetches.started": 7,
        "fetches.responses.2xx": 4,
        "bytes.received": 0,
        "challenges.raised": 3,
        "challenges.raised.basic": 2,
        "challenges.raised.digest": 1,
    },
    "taskSeconds": {"bounds": [0.01, 0.5, 60], "counts": [3, 2, 0, 1], "sum": 301.25},
    "replySeconds": {"bounds": [1], "counts": [0, 0], "sum": 0},
    "limits": {"messageBytes": 1048576, "connections": 4096},
    "usage": {"connections": 3},
}
