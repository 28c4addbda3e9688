"""When a TLS session may be resumed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from Integration.server_trust.scene import asked_of_task
from Integration.wire import Json, Peer, RemoteError
from Support.certificates import Authority
from Support.exchange import Exchange
from Support.revocation import revocation_list
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.core
Origins = Callable[..., ScriptedOrigin]
BY_KEY = {"trust": "publicKey", "persistence": "forSession"}


@pytest.fixture
def resumptions(
    strange: ScriptedOrigin,
) -> Callable[[Peer, str], list[bool]]:
    """Fetches twice over connections that the origin closes; whether each handshake resumed a TLS session."""

    def fetch(peer: Peer, session: str) -> list[bool]:
        seen: list[bool] = []

        async def closing(exchange: Exchange) -> None:
            seen.append(exchange.connection.writer.get_extra_info("ssl_object").session_reused)
            await exchange.respond(200, [("Connection", "close")])
            await exchange.close()

        url = strange.serve("/closing", closing)
        for _ in range(2):
            assert peer.fetch(session, url)["status"] == 200
        return seen

    return fetch


def test_a_tls_session_is_not_resumed_when_what_was_known_of_its_certificate_is_out_of_date(
    peer: Peer, strange: ScriptedOrigin, authority: Authority, known: Json, tmp_path: Path
) -> None:
    resumed: list[bool] = []

    async def closing(exchange: Exchange) -> None:
        resumed.append(exchange.connection.writer.get_extra_info("ssl_object").session_reused)
        await exchange.respond(200, [("Connection", "close")])
        await exchange.close()

    url = strange.serve("/closing", closing)
    soon = datetime.now(UTC) + timedelta(seconds=4)
    lists = revocation_list(authority, tmp_path, until=soon)
    session = peer.open(configuration={"tls": {**known["tls"], "revocationLists": lists}})
    with pytest.raises(RemoteError) as caught:
        while True:
            assert peer.fetch(session, url)["status"] == 200
    assert caught.value.data["reasons"] == [{"reason": "revocationUnknown", "depth": 0}]
    assert resumed[1] and all(resumed[1:])


def test_a_tls_session_is_resumed_in_its_session_only(
    peer: Peer, known: Json, resumptions: Callable[[Peer, str], list[bool]]
) -> None:
    for name in ("one", "other"):
        assert resumptions(peer, peer.open(name, configuration=known)) == [False, True]


def test_a_tls_session_is_not_resumed_when_its_decision_is_gone(
    peer: Peer, strange: ScriptedOrigin, resumptions: Callable[[Peer, str], list[bool]]
) -> None:
    session = peer.open("dev", tasks=["serverTrust"])

    def accept() -> None:
        fetch = peer.start_fetch(session, strange.url + "/")
        peer.answer(asked_of_task(peer), BY_KEY)
        assert peer.result(fetch)["status"] == 200

    accept()
    assert resumptions(peer, session)[1]
    peer.call("trust/remove", {"session": session})
    accept()
    # The connection that the second decision let through served the first of these.
    assert resumptions(peer, session) == [False, True]
