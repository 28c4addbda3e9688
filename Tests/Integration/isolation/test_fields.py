"""Secret header fields go to their origin only."""

from __future__ import annotations

import ssl
from collections.abc import Callable

import pytest

from Integration.isolation.scene import log_in, serve_staff
from Integration.sentinels import MARK, PASSWORD, TOKEN, USER, traces_in
from Integration.wire import Peer, kind_of, password
from Support.certificates import Authority
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import challenged, redirect, reply

pytestmark = pytest.mark.core
Asked = tuple[Peer, str]
Origins = Callable[..., ScriptedOrigin]


def test_an_authorization_field_of_the_caller_is_sent_as_it_is(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = serve_staff(origin)
    headers = [["Authorization", "Custom a=b, c"]]
    assert peer.fetch(session, url, headers=headers)["status"] == 401
    peer.nothing_asked()
    assert [request.all("Authorization") for request in origin.requests] == [["Custom a=b, c"]]
    log_in(peer, session, url)
    assert peer.fetch(session, url, headers=headers)["status"] == 401
    assert origin.requests[-1].all("Authorization") == ["Custom a=b, c"]
    assert len(peer.call("credential/list", {"session": session})["credentials"]) == 1


@pytest.mark.parametrize("name", ["Authorization", "Cookie", "X-Api-Key"])
def test_a_secret_field_is_dropped_for_another_origin_and_never_comes_back(
    peer: Peer, origins: Origins, name: str
) -> None:
    first, second = origins(), origins()
    back = first.serve("/back", reply())
    away = second.serve("/away", redirect(back))
    url = first.serve("/", redirect(away))
    headers = [[name, f"{MARK}-x"], ["X-Plain", "stays"]]
    result = peer.fetch(peer.open(), url, headers=headers, sensitiveHeaders=["x-api-key"])
    assert result["status"] == 200
    assert first.requests_to("/")[0].header(name) == f"{MARK}-x"
    assert second.requests[0].header(name) is None
    assert first.requests_to("/back")[0].header(name) is None
    assert second.requests[0].header("X-Plain") == "stays"
    assert traces_in(second.received()) == []


@pytest.mark.parametrize("name", ["Authorization", "Cookie", "X-Api-Key"])
def test_a_secret_field_of_the_session_is_dropped_for_another_origin_and_never_comes_back(
    peer: Peer, origins: Origins, name: str
) -> None:
    first, second = origins(), origins()
    back = first.serve("/back", reply())
    away = second.serve("/away", redirect(back))
    near = first.serve("/near", redirect(away))
    url = first.serve("/", redirect(near))
    session = peer.open(configuration={"headers": [[name, f"{MARK}-x"], ["X-Plain", "stays"]]})
    assert peer.fetch(session, url, sensitiveHeaders=["x-api-key"])["status"] == 200
    assert [request.header(name) for request in first.requests] == [f"{MARK}-x", f"{MARK}-x", None]
    assert second.requests[0].header(name) is None
    assert [request.header("X-Plain") for request in first.requests + second.requests] == ["stays"] * 4
    assert traces_in(second.received()) == []
    # Each task begins with them.
    peer.fetch(session, back)
    assert first.requests[-1].header(name) == f"{MARK}-x"


def test_an_allowed_downgrade_keeps_no_secret_field_of_the_session(
    peer: Peer, origins: Origins, tls_context: ssl.SSLContext, authority: Authority
) -> None:
    secure, plain = origins(tls_context), origins()
    configuration = {
        "tls": {"roots": {"certificates": authority.pem}},
        "redirects": {"allowDowngrade": True},
        "headers": [["Authorization", f"Custom {MARK}"], ["Cookie", f"a={MARK}"], ["X-Plain", "stays"]],
    }
    url = secure.serve("/", redirect(plain.serve("/", reply())))
    assert peer.fetch(peer.open(configuration=configuration), url)["status"] == 200
    assert traces_in(plain.received()) == []
    assert plain.requests[0].header("X-Plain") == "stays"


def test_an_authorization_field_of_the_session_is_sent_as_it_is(peer: Peer, origin: ScriptedOrigin) -> None:
    """No challenge, no cached credential, and no second field beside it."""
    url = serve_staff(origin)
    session = peer.open(tasks=["*"], configuration={"headers": [["Authorization", "Custom a=b, c"]]})
    space = {"protocol": "http", "host": "127.0.0.1", "port": origin.port, "realm": "staff"}
    put = {"protectionSpace": {**space, "authenticationMethod": "basic"}, "session": session}
    peer.call("credential/set", {**put, "credential": password(USER, PASSWORD)})
    assert peer.fetch(session, url)["status"] == 401
    peer.nothing_asked()
    assert [request.all("Authorization") for request in origin.requests] == [["Custom a=b, c"]]
    (kept,) = peer.call("credential/list", {"session": session})["credentials"]
    assert kept["uses"] == 0
    assert peer.call("explain", {"session": session, "url": url})["credential"] is None


def test_the_user_of_a_url_goes_before_the_sessions_field_and_a_field_of_the_task_before_both(
    peer: Peer, origin: ScriptedOrigin
) -> None:
    url = serve_staff(origin)
    named = url.replace("//", f"//{USER}:{PASSWORD}@")
    session = peer.open(configuration={"headers": [["Authorization", "Custom session"]]})
    assert peer.fetch(session, named)["status"] == 200
    assert [len(request.all("Authorization")) for request in origin.requests] == [0, 1]
    assert peer.fetch(session, named, headers=[["authorization", "Custom task"]])["status"] == 401
    assert origin.requests[-1].all("Authorization") == ["Custom task"]

    def explained(url: str) -> str:
        return str(peer.call("explain", {"session": session, "url": url})["authorizationHeader"])

    assert (explained(named), explained(url)) == ("none", "session")


@pytest.mark.parametrize("method", ["bearer", "digest"])
def test_no_credential_goes_to_a_url_that_a_challenge_names(
    asked: Asked, origins: Origins, method: str
) -> None:
    """CVE-2020-15157: a registry's client sent its password to the `realm` of a Bearer challenge."""
    peer, session = asked
    first, named = origins(), origins()
    url = named.serve("/token", reply())
    challenge = {
        "bearer": f'Bearer realm="{url}", authorization_uri="{url}", resource_metadata="{url}", scope="a"',
        "digest": f'Digest realm="{url}", nonce="n", qop="auth", domain="{url} /"',
    }[method]
    fetch = peer.start_fetch(session, first.serve("/", challenged(challenge)))
    peer.answer(peer.challenge(), {"token": TOKEN} if method == "bearer" else password(USER, PASSWORD))
    assert [offer["authenticationMethod"] for offer in peer.challenge()["offers"]] == [method]
    assert first.requests[-1].authorization is not None
    assert named.requests == []
    peer.call("task/cancel", {"task": peer.call("task/list", {"session": session})["tasks"][0]["task"]})
    assert kind_of(lambda: peer.result(fetch)) == "taskCancelled"


@pytest.mark.parametrize("is_of_session", [False, True])
def test_a_field_for_proxies_is_never_sent_to_an_origin(
    peer: Peer, origin: ScriptedOrigin, is_of_session: bool
) -> None:
    """CVE-2023-32681."""
    headers = [["Proxy-Authorization", f"Basic {MARK}"], ["X-Other", "kept"]]
    url = origin.serve("/", reply())
    session = peer.open(configuration={"proxies": "none", **({"headers": headers} if is_of_session else {})})
    assert peer.fetch(session, url, headers=[] if is_of_session else headers)["status"] == 200
    assert origin.requests[0].header("X-Other") == "kept"
    assert MARK.encode() not in origin.received()
