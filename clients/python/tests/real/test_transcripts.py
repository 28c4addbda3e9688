"""The protocol's transcripts, with every message of the daemon read by this package on the way.

The player compares; this package has to understand: no message may break the stream, no error may be an
unknown one, and everything typed has to fit its type.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from watchword import OtherError, Response
from watchword import _credential_operations as credential_operations
from watchword import _operations as operations
from watchword._challenges import read_challenge
from watchword._protocol import Notification, Protocol, Reply
from watchword._redirects import read_redirect_proposal
from watchword._tasks import read_task_event

EXAMPLES = Path(__file__).parents[4] / "protocol" / "examples"
FILES = sorted(EXAMPLES.glob("*.jsonl"))

pytestmark = pytest.mark.skipif(not FILES, reason="installed apart from the protocol's folder")

READ = {
    "initialize": operations.initialize("test").decode,
    "session/open": operations.open_session(None, None, (), ()).decode,
    "session/list": operations.list_sessions().decode,
    "task/list": operations.list_tasks(None).decode,
    "challenge/list": operations.list_challenges(None).decode,
    "challenge/describe": operations.describe_challenge("").decode,
    "credential/list": credential_operations.list_credentials(None).decode,
    "cookie/list": operations.list_cookies(None, None).decode,
    "status": operations.status().decode,
}


def understand(message: Any, method: str | None) -> None:
    """Reads one message as the clients do."""
    if isinstance(message, list) or ("method" not in message and type(message.get("id")) is not int):
        return  # answers to what this package never sends: batches and ids that are no integers
    (event,) = Protocol().receive(json.dumps(message).encode() + b"\n")
    if isinstance(event, Reply):
        assert type(event.error) is not OtherError
        if event.error is None:
            understand_result(event, method)
        return
    assert isinstance(event, Notification), message
    if event.method.endswith("didReceiveChallenge"):
        read_challenge(event.params)
    elif event.method == "task/willRedirect":
        read_redirect_proposal(event.params)
    else:
        read_task_event(event.method, event.params)


def understand_result(reply: Reply, method: str | None) -> None:
    if method == "fetch":
        response = Response(reply.result)
        for name in ("headers", "redirects", "metrics", "url", "origin", "task", "session", "size"):
            getattr(response, name)
    elif method in READ:
        READ[method](reply.result, ())


# A transcript may have a netrc with words that are passed over; test_connection asks for the warning.
@pytest.mark.filterwarnings("default:netrc. line:UserWarning")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_transcript_is_understood(file: Path, daemon: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import player  # type: ignore[import-not-found]
    import schema  # type: ignore[import-not-found]

    assert sys.modules["player"].__file__ == str(EXAMPLES / "player.py")

    class Connection(player.Connection):  # type: ignore[misc]
        def readable(self) -> list[Any]:
            messages: list[Any] = super().readable()
            for message in messages:
                method = None if isinstance(message, list) else self.methods.get(json.dumps(message.get("id")))
                understand(message, method)
            return messages

    playing = player.Player(file, daemon, schema.Document(EXAMPLES.parent), Connection)
    try:
        playing.play()
    finally:
        playing.close()
