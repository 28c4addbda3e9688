"""A refusal is answered with its nonce, and counts go on, from every place (methods.md 8.2)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.credentials.scene import put
from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, password
from Support.exchange import Exchange
from Support.guards import parameters_of
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.core
Connect = Callable[..., Peer]

#: A credential with this place for an origin or a proxy.
PLACES = [
    ("origin", place) for place in ("none", "forSession", "permanent", "session", "vault", "netrc", "url")
] + [("proxy", place) for place in ("none", "forSession", "permanent", "session", "vault", "url")]


class Server:
    """Gives these nonces in turn, the last one for ever, and takes each answer that follows a refusal."""

    def __init__(self, is_proxy: bool, *nonces: str) -> None:
        self.names = ("Proxy-Authorization", "Proxy-Authenticate", 407)
        if not is_proxy:
            self.names = ("Authorization", "WWW-Authenticate", 401)
        self.nonces = list(nonces)
        #: Nonce and count of each answer.
        self.answers: list[tuple[str, str]] = []

    async def __call__(self, exchange: Exchange) -> None:
        asked, challenge, status = self.names
        value = exchange.request.header(asked)
        if value is not None:
            given = parameters_of(value)
            self.answers.append((given["nonce"], given["nc"]))
            return await exchange.respond(200, [], b"page")
        nonce = self.nonces.pop(0) if len(self.nonces) > 1 else self.nonces[0]
        offer = f'Digest realm="staff", nonce="{nonce}", qop="auth"'
        await exchange.respond(status, [(challenge, offer)], b"")


class Scene:
    """A session in which a credential is to be had from a place."""

    def __init__(self, peer: Peer, origin: ScriptedOrigin, hop: str, place: str, server: Server) -> None:
        self.peer, self.origin, self.hop, self.place = peer, origin, hop, place
        self.url = origin.serve("/x", server)
        proxy = origin.url
        if hop == "proxy":
            origin.serve("http*", server)
            self.url = "http://web.watchword.test/x"
        if place == "url":
            userinfo = f"//{USER}:{PASSWORD}@"
            proxy = proxy.replace("//", userinfo)
            self.url = self.url.replace("//", userinfo) if hop == "origin" else self.url
        configuration: Json = {"credentialStorage": "shared"}
        if hop == "proxy":
            configuration["proxies"] = {"all": proxy}
        if place == "netrc":
            configuration["netrc"] = {"text": f"machine 127.0.0.1 login {USER} password {PASSWORD}"}
        asks = ["*"] if place in ("none", "forSession", "permanent") else []
        self.session = peer.open(tasks=asks, configuration=configuration)

    def store(self) -> None:
        if self.place not in ("session", "vault"):
            return
        space = {
            "protocol": "http",
            "host": "127.0.0.1",
            "port": self.origin.port,
            "realm": "staff",
            "authenticationMethod": "digest",
        }
        if self.hop == "proxy":
            space |= {"proxyType": "http"}
        put(
            self.peer,
            self.session,
            space,
            password(USER, PASSWORD, "permanent" if self.place == "vault" else "forSession"),
        )

    def fetch(self) -> int:
        fetch = self.peer.start_fetch(self.session, self.url)
        if self.place in ("none", "forSession", "permanent"):
            self.peer.answer(self.peer.challenge(), password(USER, PASSWORD, self.place))
        status: int = self.peer.result(fetch)["status"]
        return status

    def reset(self) -> None:
        self.peer.call("session/reset", {"session": self.session})


@pytest.mark.parametrize(("hop", "place"), PLACES)
def test_an_answer_has_the_nonce_of_its_refusal(
    connect: Connect, origin: ScriptedOrigin, hop: str, place: str
) -> None:
    server = Server(hop == "proxy", "n1", "n2")
    scene = Scene(connect(), origin, hop, place, server)
    for _ in range(2):
        scene.store()
        assert scene.fetch() == 200
        scene.reset()
    assert server.answers == [("n1", "00000001"), ("n2", "00000001")]


@pytest.mark.parametrize(("hop", "place"), PLACES)
def test_a_nonce_that_is_given_again_continues_its_count(
    connect: Connect, origin: ScriptedOrigin, hop: str, place: str
) -> None:
    server = Server(hop == "proxy", "fixed")
    scene = Scene(connect(), origin, hop, place, server)
    for _ in range(3):
        scene.store()
        assert scene.fetch() == 200
        scene.reset()
    assert server.answers == [("fixed", f"{count:08x}") for count in (1, 2, 3)]
