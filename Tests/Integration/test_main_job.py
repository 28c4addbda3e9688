"""Many processes, one question: the main job against nginx and Apache."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.crowd import Crowd
from Integration.sentinels import PASSWORD, USER
from Integration.wire import Peer, password
from Support.apache import Apache
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.nginx import Nginx

Connect = Callable[..., Peer]

FETCHES = 1000


def fetch_in_parallel(daemon: Daemon, peer: Peer, url: str, count: int = FETCHES) -> None:
    """All of them succeed, and the delegate of the session is asked exactly once."""
    peer.open("crowd", session=["*"])
    crowd = Crowd(daemon, "crowd", url, count)
    crowd.start()
    challenge = peer.challenge()
    assert challenge["previousFailureCount"] == 0
    peer.answer(challenge, password(USER, PASSWORD))
    assert crowd.outcomes() == {"200": count}
    peer.nothing_asked()
    assert peer.counter("challenges.raised") == 1


@pytest.mark.timeout(180)
def test_a_thousand_fetches_of_eight_processes_raise_one_basic_challenge(
    daemon: Daemon, connect: Connect, nginx: Nginx
) -> None:
    peer = connect()
    fetch_in_parallel(daemon, peer, f"{nginx.plain}/staff/small")
    later = peer.metrics("crowd", f"{nginx.plain}/staff/small")
    assert len(later["exchanges"]) == 1
    assert later["exchanges"][0]["authenticationMethod"] == "basic"


@pytest.mark.threads
@pytest.mark.timeout(180)
def test_a_crowd_over_tls_and_http_2_raises_one_challenge(
    daemon: Daemon, connect: Connect, nginx: Nginx, authority: Authority
) -> None:
    peer = connect()
    roots = {"tls": {"roots": {"certificates": authority.pem}}}
    peer.open("crowd", session=["basic"], configuration=roots)
    crowd = Crowd(daemon, "crowd", f"{nginx.http2}/staff/small", 400)
    crowd.start()
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert crowd.outcomes() == {"200": 400}
    peer.nothing_asked()
    assert peer.counter("challenges.raised") == 1
    later = peer.metrics("crowd", f"{nginx.http2}/staff/small")
    assert later["protocol"] == "h2"


@pytest.mark.timeout(180)
def test_a_thousand_fetches_of_eight_processes_raise_one_digest_challenge(
    daemon: Daemon, connect: Connect, apache: Apache
) -> None:
    peer = connect()
    fetch_in_parallel(daemon, peer, f"{apache.steady}/digest/small")
    later = peer.metrics("crowd", f"{apache.steady}/digest/small")
    assert len(later["exchanges"]) == 1
    assert later["exchanges"][0]["authenticationMethod"] == "digest"


@pytest.mark.timeout(180)
def test_a_nonce_that_goes_stale_in_the_middle_raises_no_challenge(
    daemon: Daemon, connect: Connect, apache: Apache
) -> None:
    peer = connect()
    url = f"{apache.short}/digest/small"
    before = len(apache.exchanges(apache.short_port))
    fetch_in_parallel(daemon, peer, url)

    def stale_replies() -> int:
        """401s to requests that carried a response: nothing was wrong with them but their nonce."""
        made = apache.exchanges(apache.short_port)[before:]
        return sum(
            exchange.status == 401 and exchange.authorization != "-" and exchange.path == "/digest/small"
            for exchange in made
        )

    while stale_replies() < 2:
        # Every reply brings a next nonce: only one that has been left alone goes stale.
        apache.outlive_a_nonce()
        crowd = Crowd(daemon, "crowd", url, 400, window=4)
        crowd.start()
        assert crowd.outcomes() == {"200": 400}
    peer.nothing_asked()
    assert peer.counter("challenges.raised") == 1
