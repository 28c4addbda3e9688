"""Both APIs, the built daemon, and a server with an untrusted certificate."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import pytest

import watchword
from development_server import DevelopmentServer, self_signed
from watchword import Answer, AsyncClient, Challenge, Client, TrustReason


class Handler:
    """Accepts one key for the session and counts its questions."""

    def __init__(self, pin: str) -> None:
        self.pin = pin
        self.subjects: list[str] = []

    def __call__(self, question: Challenge) -> Answer:
        trust = question.server_trust
        assert trust is not None
        assert trust.certificate is not None
        self.subjects.append(trust.certificate.subject)
        if trust.public_key == self.pin:
            return watchword.trust_public_key(persistence="forSession")
        return watchword.cancel()


def test_a_server_is_accepted_by_its_key(daemon: str, development_server: DevelopmentServer) -> None:
    url = development_server.url
    handler, second, elsewhere = (Handler(development_server.pin) for _ in range(3))
    with Client(daemon) as first, Client(daemon) as other:
        session = first.session("dev", on_challenge=handler)
        assert session.fetch(url + "/").text == "fine\n"
        assert other.session("dev", on_challenge=second).fetch(url + "/").text == "fine\n"
        assert other.session("else", on_challenge=elsewhere).fetch(url + "/").text == "fine\n"
        assert (handler.subjects, second.subjects, elsewhere.subjects) == (["CN=dev"], [], ["CN=dev"])
        (decision,) = session.list_trust()
        assert (decision.origin, decision.public_key) == (url, development_server.pin)
        assert decision.excused == [TrustReason("selfSigned", 0)]

        development_server.swap("swapped")
        session.remove_trust(decision)
        with pytest.raises(watchword.ServerTrustRejected) as caught:
            session.fetch(url + "/")
        assert handler.subjects == ["CN=dev", "CN=swapped"]
        assert caught.value.reasons == [TrustReason("selfSigned", 0)]


def test_a_server_is_accepted_for_ever(daemon: str, development_server: DevelopmentServer) -> None:
    url = development_server.url
    asked: list[Challenge] = []

    def handler(question: Challenge) -> Answer:
        asked.append(question)
        return watchword.trust_public_key(persistence="permanent")

    with Client(daemon) as client:
        assert client.session(on_challenge=handler).fetch(url + "/").text == "fine\n"
        session = client.session(on_challenge=handler)
        assert session.fetch(url + "/").text == "fine\n"
        assert len(asked) == 1
        (decision,) = session.list_trust()
        assert (decision.id, decision.persistence, decision.uses) == ("p1", "permanent", 2)
        # An ephemeral session is asked, and can keep nothing.
        ephemeral = client.session(None, {"credentialStorage": "private"}, on_challenge=handler)
        with pytest.raises(watchword.StorageUnavailable, match="private storage"):
            ephemeral.fetch(url + "/")
        assert len(asked) == 2
        assert ephemeral.list_trust() == []
        assert session.remove_trust(decision) == 1
        with pytest.raises(watchword.ServerTrustRejected):
            client.session().fetch(url + "/")


def test_a_handler_of_passwords_lets_default_evaluation_decide(
    daemon: str, development_server: DevelopmentServer
) -> None:
    with Client(daemon) as client:
        session = client.session(on_challenge=lambda _: watchword.use_credential("u", "p"))
        with pytest.raises(watchword.ServerTrustRejected):
            session.fetch(development_server.url + "/")


def test_pins_hold_a_good_certificate_to_its_key(daemon: str, development_server: DevelopmentServer) -> None:
    roots = (development_server.directory / "dev.pem").read_text()
    configuration: watchword.SessionConfiguration = {"tls": {"roots": {"certificates": roots, "exclusive": True}}}
    other = "sha256/" + "A" * 43 + "="
    with Client(daemon) as client:
        right = client.session(
            None, configuration, on_challenge=watchword.pin_handler({"localhost": [development_server.pin]})
        )
        assert right.fetch(development_server.url + "/").status == 200
        wrong = client.session(None, configuration, on_challenge=watchword.pin_handler({"localhost": [other]}))
        with pytest.raises(watchword.ServerTrustRejected) as caught:
            wrong.fetch(development_server.url + "/")
        assert caught.value.reasons == []


def test_the_same_with_asyncio(daemon: str, development_server: DevelopmentServer) -> None:
    async def main() -> None:
        async def handler(question: Challenge) -> Answer:
            await asyncio.sleep(0)
            assert question.server_trust is not None
            return watchword.trust_certificate(persistence="forSession")

        async with AsyncClient(daemon) as client:
            session = await client.session(on_challenge=handler)
            assert (await session.fetch(development_server.url + "/")).text == "fine\n"
            (decision,) = await session.list_trust()
            assert decision.scope == "certificate"
            assert await session.remove_trust(origin=development_server.url) == 1
            assert await session.list_trust() == []

    asyncio.run(main())


def test_an_authority_counts_in_every_session(daemon: str, development_server: DevelopmentServer) -> None:
    url = development_server.url + "/"
    pem = (development_server.directory / "dev.pem").read_text()
    with Client(daemon) as client:
        session = client.session()
        with pytest.raises(watchword.ServerTrustRejected):
            session.fetch(url)
        assert client.list_roots() == []
        added = client.add_roots(pem)
        assert (added["added"], added["roots"]) == (1, client.list_roots())
        assert session.fetch(url).text == client.session("other").fetch(url).text == "fine\n"
        (root,) = client.list_roots()
        assert root["subject"] == "CN=dev"
        assert client.remove_roots("00" * 32) == 0
        assert client.remove_roots(root) == 1
        with pytest.raises(watchword.ServerTrustRejected):
            session.fetch(url)
        with pytest.raises(watchword.InvalidParams, match="no PEM certificate"):
            client.add_roots("nothing")
        client.add_roots(pem)
        assert client.remove_roots() == 1


@pytest.mark.parametrize("name", ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"])
def test_the_authorities_of_the_environment_count_where_a_session_has_no_name(
    daemon: str, development_server: DevelopmentServer, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    url = development_server.url + "/"
    for variable in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"):
        monkeypatch.delenv(variable, raising=False)
    pem = (development_server.directory / "dev.pem").read_text()
    noted = development_server.directory / "noted.pem"
    noted.write_text(f"\ufeff# Of the company\n\n{pem}\nand no more")
    monkeypatch.setenv(name, os.fspath(noted))
    with Client(daemon) as client:
        shared = client.session(by_settings=True)
        # What is beside the blocks does not name another session: the command sends the blocks, too.
        blocks: Any = {"tls": {"roots": {"certificates": pem, "exclusive": True}}}
        assert client.session(configuration=blocks, by_settings=True).id == shared.id
        assert client.session().fetch(url).text == shared.fetch(url).text == "fine\n"
        assert client.session(by_settings=True).id == shared.id != client.session(by_settings=True, trust_env=False).id
        # To what is malformed nothing is added: the daemon says what is wrong.
        for wrong in ({"tls": None}, {"tls": [1]}, "tls", [1], 5):
            with pytest.raises(watchword.InvalidParams, match="configuration"):
                client.session(configuration=wrong)  # type: ignore[arg-type]
        named = client.session("named")
        other = self_signed(development_server.directory, "other")[0].read_text()
        own = client.session(configuration={"tls": {"roots": {"certificates": other}}})
        for session in (named, own, client.session(trust_env=False), client.default_session()):
            with pytest.raises(watchword.ServerTrustRejected):
                session.fetch(url)
        monkeypatch.setenv(name, "/nothing.pem")
        with pytest.raises(OSError, match=r"nothing\.pem"):
            client.session()
        monkeypatch.setenv(name, "/etc/ssl/certs/ca-certificates.crt")  # the daemon trusts these anyway
        assert client.session(by_settings=True).describe()["configuration"]["tls"]["roots"] is None


def test_an_authority_is_added_in_asyncio(daemon: str, development_server: DevelopmentServer) -> None:
    async def run() -> None:
        async with AsyncClient(daemon) as client:
            added = await client.add_roots((development_server.directory / "dev.pem").read_text())
            assert await client.list_roots() == added["roots"]
            session = await client.session()
            assert (await session.fetch(development_server.url + "/")).text == "fine\n"
            assert await client.remove_roots(added["roots"][0]) == 1

    asyncio.run(run())
