"""The host of a credential: how it is spelled, and cleartext beyond loopback."""

from __future__ import annotations

import pytest

from Integration.credentials.scene import exchanges, listed, put, staff
from Integration.sentinels import (
    PASSWORD,
    USER,
    traces_in,
)
from Integration.wire import Peer, RemoteError, password
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.core


def test_basic_over_cleartext_beyond_loopback_needs_consent(peer: Peer, origin: ScriptedOrigin) -> None:
    staff(origin)
    resolve = {"addresses": {"resolve": {f"far.test:{origin.port}": "127.0.0.1"}}}
    far = f"http://far.test:{origin.port}/staff"
    with_user = far.replace("http://", f"http://{USER}:{PASSWORD}@")
    assert peer.fetch(peer.open("careful", configuration=resolve), with_user)["status"] == 401
    assert traces_in(origin.received()) == []
    allowed = {**resolve, "methods": {"basicOverCleartext": True}}
    assert peer.fetch(peer.open("free", configuration=allowed), with_user)["status"] == 200
    session = peer.open("careful", tasks=["*"])
    fetch = peer.start_fetch(session, far)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    assert exchanges(peer.fetch(session, far, metrics=True)) == 1, (
        "an explicit reply is the session's consent"
    )


#: A host as a caller may write it in `credential/set`, and in a URL: one and the same.
SPELLINGS = [
    ("::1", "[::1]"),
    ("[::1]", "[::1]"),
    ("0:0:0:0:0:0:0:1", "[::1]"),
    ("::1", "[0:0:0:0:0:0:0:1]"),
    ("[0000::0001]", "[::0:1]"),
    ("::FFFF:127.0.0.1", "[::ffff:7f00:1]"),
    ("127.0.0.1", "0x7f.1"),
    ("0x7f000001", "127.0.0.1"),
    ("LocalHost", "localhost"),
    ("localhost", "LOCALHOST"),
    ("host.test.", "HOST.test."),
    ("XN--Bcher-KVA.test", "xn--bcher-kva.test"),
]


@pytest.mark.parametrize(("written", "in_url"), SPELLINGS)
def test_a_host_is_one_however_it_is_written(peer: Peer, written: str, in_url: str) -> None:
    session = peer.open()
    where = {"protocol": "http", "host": written, "realm": "r", "authenticationMethod": "basic"}
    put(peer, session, where, password(USER, PASSWORD))
    for port in ("", ":80"):
        explained = peer.call("explain", {"session": session, "url": f"http://{in_url}{port}/x"})
        assert (explained["credential"] or {}).get("user") == USER
    (entry,) = listed(peer, session)
    assert explained["origin"] in (
        f"http://{entry['protectionSpace']['host']}:80",
        f"http://[{entry['protectionSpace']['host']}]:80",
    )
    params = {"session": session, "protectionSpace": {**where, "host": in_url}}
    assert peer.call("credential/setDefault", {**params, "user": USER}) == {}
    assert peer.call("credential/remove", params) == {"removed": 1}


@pytest.mark.parametrize(("written", "in_url"), [("host.test", "host.test."), ("host.test.", "host.test")])
def test_a_host_with_the_final_dot_is_another(peer: Peer, written: str, in_url: str) -> None:
    """As browsers have it: the resolver's search list makes two names of them."""
    session = peer.open()
    where = {"protocol": "http", "host": written, "realm": "r", "authenticationMethod": "basic"}
    put(peer, session, where, password(USER, PASSWORD))
    assert peer.call("explain", {"session": session, "url": f"http://{in_url}/"})["credential"] is None


NO_HOSTS = ["", ".", "a..b", "1.2.3.256", "::1::", "[::1", "host.test:80", "a b", "b\u00fccher.test", "::1%1"]


@pytest.mark.parametrize("host", NO_HOSTS)
def test_what_is_no_host_is_refused_and_named(peer: Peer, host: str) -> None:
    where = {"protocol": "http", "host": host, "realm": "r", "authenticationMethod": "basic"}
    params = {"protectionSpace": where, "credential": password(USER, PASSWORD)}
    with pytest.raises(RemoteError) as caught:
        peer.call("credential/set", params)
    assert (caught.value.kind, caught.value.data["path"]) == ("invalidParams", "params.protectionSpace.host")
