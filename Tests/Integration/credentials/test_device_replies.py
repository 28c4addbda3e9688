"""Endpoints that lie when a device code is asked for, or about one (RFC 8628, methods.md 9.10.8)."""

from __future__ import annotations

import json

import pytest

from Integration.credentials.oauth_scene import asking, code, device, opened, says, token
from Integration.credentials.scene import SourceScene
from Integration.wire import Json, kind_of
from Support.exchange import Exchange, Script
from Support.scripted_origin import ScriptedOrigin


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        pytest.param(says(code(verification_uri="javascript:alert(1)")), "malformed", id="script"),
        pytest.param(says(code(verification_uri="http://id.example/")), "malformed", id="cleartext"),
        pytest.param(says(code(verification_uri="https://id.example/\x1b[2J")), "malformed", id="escape"),
        pytest.param(says(code(verification_uri="https://a@evil.example/")), "malformed", id="userinfo"),
        pytest.param(says(code(verification_uri_complete="data:text/html,x")), "malformed", id="complete"),
        pytest.param(says(code(user_code="\x1b]0;x\x07")), "malformed", id="control characters"),
        pytest.param(says(code(user_code="A" * 65)), "malformed", id="long code"),
        pytest.param(says(code(user_code="")), "malformed", id="no code"),
        pytest.param(says(code(expires_in=-1)), "malformed", id="negative"),
        pytest.param(says(json.dumps(code(expires_in=float("nan")))), "malformed", id="no number"),
        pytest.param(says(code(interval=1e9)), "malformed", id="absurd interval"),
        pytest.param(says(code(interval=-5)), "malformed", id="negative interval"),
        pytest.param(says(code(device_code=["a"])), "malformed", id="a list"),
        pytest.param(says("x" * 200_000), "tooLarge", id="huge"),
        pytest.param(says({"error": "invalid_client"}, 401), "clientRefused", id="client"),
        pytest.param(says(b"", 404), "requestRefused", id="not there"),
    ],
)
def test_a_device_endpoint_that_lies_is_a_clear_error(
    scene: SourceScene, origin: ScriptedOrigin, script: Script, reason: str
) -> None:
    origin.serve("/device", script)
    peer = scene.peer(builds=device(origin.url))
    session = opened(peer, origin.port)
    fetch = peer.start_fetch(session, origin.serve("/page", asking))
    challenge = peer.challenge()
    assert challenge["error"] == {"kind": "sourceFailed", "source": "builds", "reason": reason}
    assert "source" not in challenge
    assert "verificationUri" not in challenge["protectionSpace"]["parameters"]
    peer.dispose(challenge, "cancelAuthenticationChallenge")
    assert kind_of(peer.result, fetch) == "userCancelledAuthentication"


async def drops(exchange: Exchange) -> None:
    await exchange.reset()


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(drops, id="lost"),
        pytest.param(says({"error": "authorization_pending"}, 400), id="pending"),
        # Servers outside of RFC 8628 §3.5.
        pytest.param(says({"error": "authorization_pending"}, 200), id="pending with 200"),
        pytest.param(
            says({"error": "authorization_pending", "access_token": ""}, 200), id="with an empty token"
        ),
    ],
)
def test_a_poll_that_brings_no_token_is_repeated(
    scene: SourceScene, origin: ScriptedOrigin, first: Script
) -> None:
    origin.serve("/device", says(code()))
    origin.serve("/token", first, says(token()))
    peer = scene.peer(builds=device(origin.url))
    session = opened(peer, origin.port)

    async def guarded(exchange: Exchange) -> None:
        if exchange.request.authorization:
            return await exchange.respond(200, [], b"page")
        return await asking(exchange)

    fetch = peer.start_fetch(session, origin.serve("/page", guarded))
    assert (
        peer.challenge()["protectionSpace"]["parameters"]["verificationUri"] == "https://id.example/activate"
    )
    assert peer.result(fetch)["status"] == 200
    assert len(origin.requests_to("/token")) == 2
    body = origin.requests_to("/token")[0].body
    assert body.startswith(b"grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=")


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"deviceEndpoint": "http://id.example/device"}, "deviceEndpoint: must be https"),
        ({"grant": "refreshToken", "refreshTokenFile": "/r"}, "deviceEndpoint: is for another grant"),
    ],
)
def test_a_device_source_that_is_not_understood_is_refused(
    scene: SourceScene, members: Json, said: str
) -> None:
    with pytest.raises(RuntimeError) as caught:
        scene.peer(builds=device("https://id.example", **members))
    assert f"credentialSources.builds.{said}" in str(caught.value)
