"""A daemon that answers the commands beside `fetch`."""

from __future__ import annotations

import pytest

from CommandLine.commands.scene import CREDENTIAL, HOLDER, SESSION, STATUS
from Support.fake_daemon import FakeDaemon, Message, a_challenge


@pytest.fixture(autouse=True)
def answers(daemon: FakeDaemon) -> None:
    fixed: dict[str, Message] = {
        "status": STATUS,
        "session/list": {"sessions": [SESSION, {**SESSION, "session": "p1-x", "named": False}]},
        "session/describe": {**SESSION, "holders": [HOLDER], "configuration": {"idleSeconds": 28800}},
        "credential/list": {"credentials": [CREDENTIAL]},
        "challenge/list": {"challenges": [a_challenge()]},
        "challenge/describe": a_challenge(),
        "credential/remove": {"removed": 1},
        "explain": {
            "url": "https://intranet.example/",
            "origin": "https://intranet.example:443",
            "credential": {
                "user": "reader",
                "authenticationMethod": "basic",
                "realm": "staff",
                "source": "session",
            },
            "preemptive": True,
            "methods": ["digest", "basic"],
            "authorizationHeader": "none",
            "trust": {"evaluation": "default"},
            "proxy": None,
            "redirects": {"policy": "follow", "limit": 20},
            "pendingChallenges": [],
            "headers": [],
        },
    }
    for method, result in fixed.items():
        daemon.answers[method] = lambda conversation, message, result=result: result  # type: ignore[misc]
