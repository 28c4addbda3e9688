"""Tokens of authorization servers: Authlib's, and scripted ones that lie (methods.md 9.10)."""

from __future__ import annotations

import json
import ssl
import stat
import urllib.parse
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration import sentinels
from Integration.credentials.oauth_scene import (
    JSON,
    TOKEN,
    client,
    eventually,
    name,
    page,
    public,
    refusing,
    says,
    scripted,
    source,
    token,
)
from Integration.credentials.scene import SourceScene
from Integration.wire import Json, RemoteError, many
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.exchange import Exchange, Script, head
from Support.oauth_server import OAuthServer
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.threads

# A real server


def test_client_credentials_open_a_page(scene: SourceScene, oauth: OAuthServer) -> None:
    peer = scene.peer(builds=client(scene, oauth))
    session = peer.open()
    name(peer, session, oauth.port)
    assert [page(peer, session, oauth) for _ in range(3)] == [200] * 3
    assert oauth.control()["requests"] == 1
    entry = source(peer)
    assert (entry["kind"], entry["token"], entry["lastError"]) == ("oauth", True, None)
    assert entry["validUntil"] is not None


def test_a_thousand_fetches_of_many_sessions_cost_one_request(scene: SourceScene, oauth: OAuthServer) -> None:
    peer = scene.peer(builds=client(scene, oauth))
    sessions = [peer.open() for _ in range(10)]
    for session in sessions:
        name(peer, session, oauth.port)
    page_url = oauth.url + "/page"
    fetches = [peer.start_fetch(session, page_url) for session in sessions * many(100)]
    assert {peer.result(fetch)["status"] for fetch in fetches} == {200}
    assert oauth.control()["requests"] == 1
    # All of them are revoked at once: one more.
    oauth.control(revoke=True)
    fetches = [peer.start_fetch(session, page_url) for session in sessions * many(100)]
    assert {peer.result(fetch)["status"] for fetch in fetches} == {200}
    assert oauth.control()["requests"] == 2
    assert peer.counter("sources.tokenRequests") == 2


def test_a_token_is_renewed_ahead_of_its_end(scene: SourceScene, oauth: OAuthServer) -> None:
    oauth.control(lifetime=2)
    peer = scene.peer(builds=client(scene, oauth))
    session = peer.open()
    name(peer, session, oauth.port)
    while oauth.control()["requests"] < 3:
        assert page(peer, session, oauth) == 200
    assert oauth.control()["refused"] == 0


def test_a_used_token_serves_while_its_endpoint_is_away(scene: SourceScene, oauth: OAuthServer) -> None:
    peer = scene.peer(builds=client(scene, oauth))
    first, second = peer.open(), peer.open()
    name(peer, first, oauth.port)
    oauth.stop()
    # Another session gets the same token, without a request.
    name(peer, second, oauth.port)
    assert peer.counter("sources.tokenRequests") == 1
    oauth.start()
    # The server has forgotten it: one other token is asked for.
    assert page(peer, second, oauth) == 200
    assert page(peer, first, oauth) == 200
    assert oauth.control()["requests"] == 1


def test_an_endpoint_that_is_away_is_a_typed_error(
    scene: SourceScene, oauth: OAuthServer, origin: ScriptedOrigin
) -> None:
    peer = scene.peer(builds=client(scene, oauth))
    session = peer.open()
    name(peer, session, oauth.port)
    name(peer, session, origin.port)
    oauth.stop()
    with pytest.raises(RemoteError) as caught:
        peer.fetch(session, origin.serve("/page", refusing))
    assert (caught.value.kind, caught.value.data["reason"]) == ("credentialSourceFailed", "unreachable")
    assert caught.value.data["source"] == "builds"
    assert caught.value.data["retry"] == "later"
    assert "the source builds: its token endpoint cannot be reached" in str(caught.value)
    assert source(peer)["lastError"] == "unreachable"
    # Back again: the next fetch works.
    oauth.start()
    assert page(peer, session, oauth) == 200


def test_a_delegate_hears_why_a_source_failed(scene: SourceScene, oauth: OAuthServer) -> None:
    peer = scene.peer(builds=client(scene, oauth))
    session = peer.open(tasks=["bearer"])
    name(peer, session, oauth.port)
    oauth.control(revoke=True)
    Path(scene.directory / "client").unlink()
    fetch = peer.start_fetch(session, oauth.url + "/page")
    challenge = peer.challenge()
    assert challenge["error"] == {"kind": "sourceFailed", "source": "builds", "reason": "unreadable"}
    peer.dispose(challenge, "cancelAuthenticationChallenge")
    with pytest.raises(RemoteError):
        peer.result(fetch)


def test_a_server_that_refuses_every_token_costs_one_request(
    scene: SourceScene, oauth: OAuthServer, origin: ScriptedOrigin
) -> None:
    peer = scene.peer(builds=client(scene, oauth))
    session = peer.open()
    name(peer, session, origin.port)
    url = origin.serve("/page", refusing)
    for number in range(1, 4):
        assert peer.fetch(session, url)["status"] == 401
        # One when it was named, and one after the first refusal; then the source pauses.
        assert (number, oauth.control()["requests"]) == (number, 2)


def test_a_refresh_token_that_changes_is_written_back(scene: SourceScene, oauth: OAuthServer) -> None:
    peer = scene.peer(builds=public(scene, oauth))
    session = peer.open()
    name(peer, session, oauth.port)
    file = scene.directory / "refresh"
    for _ in range(3):
        assert page(peer, session, oauth) == 200
        eventually(lambda: file.read_text().strip() in oauth.control()["refresh"])
        oauth.control(revoke=True)
    assert file.read_text().strip() != oauth.refresh_token
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert oauth.control()["requests"] == 3


def test_a_refresh_token_that_cannot_be_written_is_not_lost(scene: SourceScene, oauth: OAuthServer) -> None:
    peer = scene.peer(builds=public(scene, oauth))
    # Not even root can replace a folder by a file.
    (scene.directory / "refresh.new").mkdir()
    session = peer.open()
    name(peer, session, oauth.port)
    eventually(lambda: source(peer)["lastError"] == "unwritable")
    for _ in range(3):
        assert page(peer, session, oauth) == 200
        oauth.control(revoke=True)
    assert (scene.directory / "refresh").read_text() == oauth.refresh_token


def test_a_refresh_token_that_is_not_valid_is_a_typed_error(scene: SourceScene, oauth: OAuthServer) -> None:
    source = public(scene, oauth)
    scene.file(f"{sentinels.MARK}.old", "refresh")
    peer = scene.peer(builds=source)
    with pytest.raises(RemoteError) as caught:
        name(peer, peer.open(), oauth.port)
    assert caught.value.data["reason"] == "sourceFailed"
    assert "refuses the refresh token: replace it" in str(caught.value)


def test_a_client_secret_may_be_in_the_body(scene: SourceScene, oauth: OAuthServer) -> None:
    members = {"clientIdentifier": "posting", "clientSecretIn": "body"}
    peer = scene.peer(builds=client(scene, oauth, **members))
    session = peer.open()
    name(peer, session, oauth.port)
    assert page(peer, session, oauth) == 200


def test_what_a_token_is_for_is_said(scene: SourceScene, origin: ScriptedOrigin) -> None:
    members = {"audience": "https://api.example/v1", "resource": ["https://a.example/", "urn:b"]}
    peer = scene.peer(builds=scripted(scene, origin.serve("/token", says(token())), **members))
    name(peer, peer.open(), origin.port)
    (request,) = origin.requests
    expected = {"audience": ["https://api.example/v1"], "resource": ["https://a.example/", "urn:b"]}
    said = urllib.parse.parse_qs(request.body.decode())
    assert {member: said[member] for member in expected} == expected


def test_a_wrong_client_secret_is_a_typed_error(scene: SourceScene, oauth: OAuthServer) -> None:
    source = client(scene, oauth)
    scene.file(f"{sentinels.MARK}.old", "client")
    peer = scene.peer(builds=source)
    with pytest.raises(RemoteError) as caught:
        name(peer, peer.open(), oauth.port)
    assert "refuses the client: check its identifier and secret" in str(caught.value)
    # The right one is read with the next request.
    scene.file(oauth.secret, "client")
    name(peer, peer.open(), oauth.port)


def test_a_reload_keeps_the_token_of_a_source_that_stays(scene: SourceScene, oauth: OAuthServer) -> None:
    kept = client(scene, oauth)
    peer = scene.peer(builds=kept)
    session = peer.open()
    name(peer, session, oauth.port)
    scene.peer(builds=kept, other={"kind": "file", "path": "/nowhere"}).call("server/reload")
    name(peer, peer.open(), oauth.port)
    assert oauth.control()["requests"] == 1
    scene.peer(builds={**kept, "scope": "write"}).call("server/reload")
    name(peer, peer.open(), oauth.port)
    assert oauth.control()["requests"] == 2


# Endpoints that lie


async def endless(exchange: Exchange) -> None:
    await exchange.send(head(200, [*JSON, ("Content-Length", str(1 << 30))]))
    await exchange.send(b'{"access_token":"' + b"a" * (1 << 20))
    await exchange.until_peer_leaves()


async def cut(exchange: Exchange) -> None:
    await exchange.send(head(200, [*JSON, ("Content-Length", "100")]) + b'{"access_token":"')
    await exchange.close()


@pytest.mark.parametrize(
    "script",
    [says({"access_token": TOKEN}), says(token(expires_in="3600"))],
    ids=["no type", "a number in a string"],
)
def test_an_endpoint_that_spells_otherwise_gives_its_token(
    scene: SourceScene, origin: ScriptedOrigin, script: Script
) -> None:
    peer = scene.peer(builds=scripted(scene, origin.serve("/token", script)))
    name(peer, peer.open(), origin.port)
    assert source(peer)["lastError"] is None


@pytest.mark.parametrize(
    ("script", "said"),
    [
        pytest.param(says(token(), headers=[("Content-Type", "text/html")]), "malformed", id="content type"),
        pytest.param(says(token(), headers=[]), "malformed", id="no content type"),
        pytest.param(says("garbage"), "malformed", id="garbage"),
        pytest.param(says(""), "malformed", id="nothing"),
        pytest.param(says("[" * 50_000), "malformed", id="deep"),
        pytest.param(says(b'{"access_token":"\xff"}'), "malformed", id="not UTF-8"),
        pytest.param(
            says('{"access_token":"a","access_token":"b","token_type":"Bearer"}'), "malformed", id="twice"
        ),
        pytest.param(says(token(access_token=f"{TOKEN}\r\nX: y")), "malformed", id="line end"),
        pytest.param(says(token(access_token=[TOKEN])), "malformed", id="a list"),
        pytest.param(says(token(expires_in=-1)), "malformed", id="negative"),
        pytest.param(
            says('{"access_token":"a","token_type":"Bearer","expires_in":1e300}'), "malformed", id="for ever"
        ),
        pytest.param(says(token(expires_in="soon")), "malformed", id="a string"),
        pytest.param(says(token(token_type="mac")), "does not fit the method", id="another type"),
        pytest.param(says({"error": "invalid_client"}), "refuses the client", id="200 with an error"),
        pytest.param(says(token(), status=500), "try again later", id="500"),
        pytest.param(says({}, status=429), "try again later", id="429"),
        pytest.param(says("x", status=400), "refuses the request", id="400"),
        pytest.param(endless, "too large", id="one gigabyte"),
        pytest.param(cut, "cannot be reached", id="cut"),
    ],
)
def test_an_endpoint_that_lies_is_a_clear_error(
    scene: SourceScene, origin: ScriptedOrigin, script: Script, said: str
) -> None:
    peer = scene.peer(builds=scripted(scene, origin.serve("/token", script)))
    with pytest.raises(RemoteError) as caught:
        name(peer, peer.open(), origin.port)
    assert (caught.value.kind, caught.value.data["reason"]) == ("credentialUnusable", "sourceFailed")
    assert "the source builds: " in str(caught.value)
    assert said in str(caught.value)
    assert source(peer)["lastError"] is not None


def test_a_redirect_of_the_endpoint_is_not_followed(scene: SourceScene, origin: ScriptedOrigin) -> None:
    elsewhere = origin.serve("/elsewhere", says(token()))
    endpoint = origin.serve("/token", says(b"", 307, [("Location", elsewhere)]))
    peer = scene.peer(builds=scripted(scene, endpoint))
    with pytest.raises(RemoteError) as caught:
        name(peer, peer.open(), origin.port)
    assert "redirects, which is not followed" in str(caught.value)
    assert [request.path for request in origin.requests] == ["/token"]


def test_an_endpoint_keeps_no_cookie(scene: SourceScene, origin: ScriptedOrigin) -> None:
    endpoint = origin.serve("/token", says(token(), 503, [("Set-Cookie", "a=b"), *JSON]), says(token()))
    peer = scene.peer(builds=scripted(scene, endpoint))
    with pytest.raises(RemoteError):
        name(peer, peer.open(), origin.port)
    name(peer, peer.open(), origin.port)
    first, second = origin.requests
    assert second.header("cookie") is None
    assert first.body == b"grant_type=client_credentials"


def test_an_endpoint_needs_a_certificate_that_is_trusted(
    scene: SourceScene,
    origins: Callable[..., ScriptedOrigin],
    tls_context: ssl.SSLContext,
    authority: Authority,
) -> None:
    secure = origins(tls_context)
    endpoint = secure.serve("/token", says(token()))
    peer = scene.peer(builds=scripted(scene, endpoint))
    # A session that trusts the authority has no say.
    trusting = {"tls": {"roots": {"certificates": authority.certificate.read_text(), "exclusive": False}}}
    session = peer.open(configuration=trusting)
    with pytest.raises(RemoteError) as caught:
        name(peer, session, secure.port)
    assert "the certificate of its token endpoint failed verification" in str(caught.value)
    assert not secure.requests
    scene.peer(builds=scripted(scene, endpoint, roots=str(authority.certificate))).call("server/reload")
    name(peer, session, secure.port)
    assert len(secure.requests) == 1


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"grant": "password"}, "grant: must be one of"),
        ({"tokenEndpoint": "http://id.example/token"}, "tokenEndpoint: must be https, or http on a loopback"),
        ({"tokenEndpoint": "https://a:b@id.example/"}, "tokenEndpoint: must not have userinfo"),
        ({"clientIdentifier": "a\nb"}, "clientIdentifier: must be visible characters"),
        ({"clientSecretFile": "secret"}, "clientSecretFile: must be an absolute path"),
        ({"clientSecretFile": None}, "clientSecretFile: must be a string"),
        ({"scope": "a  b"}, "scope: must be words"),
        ({"refreshTokenFile": "/r"}, "refreshTokenFile: is for another grant"),
        ({"grant": "refreshToken"}, "refreshTokenFile: is missing"),
        ({"audiences": "a"}, "audiences: unknown member"),
        ({"audience": ""}, "audience: must be visible characters"),
        ({"audience": "a\n"}, "audience: must be visible characters"),
        ({"resource": "https://api.example/"}, "resource: must be an array"),
        ({"resource": ["api"]}, "resource: must be absolute URIs"),
        ({"resource": ["https://api.example/#a"]}, "resource: must be absolute URIs"),
        ({"clientSecretIn": "query"}, "clientSecretIn: must be one of"),
    ],
)
def test_a_source_that_is_not_understood_is_refused(
    scene: SourceScene, tmp_path: Path, members: Json, said: str
) -> None:
    configuration = tmp_path / "configuration.json"
    source = {**scripted(scene, "https://id.example/token"), **members}
    configuration.write_text(json.dumps({"credentialSources": {"builds": source}}))
    with pytest.raises(RuntimeError) as caught:
        Daemon(["--configuration", str(configuration)])
    assert f"credentialSources.builds.{said}" in str(caught.value)
