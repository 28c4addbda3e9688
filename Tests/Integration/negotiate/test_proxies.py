"""Negotiate at a proxy: squid with its helper, in the tests' realm (methods.md 15.13)."""

from __future__ import annotations

import base64
import ssl
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from Integration import sentinels
from Integration.command_line.scene import AUTHENTICATION, OK, USAGE, Command
from Integration.negotiate.realm_peer import RealmPeer
from Integration.wire import Json
from Support import documents, kerberos_apache
from Support.certificates import Authority, Identity
from Support.daemon import Daemon
from Support.exchange import Exchange
from Support.kerberos import Realm
from Support.kerberos_apache import KerberosApache
from Support.nginx import Nginx
from Support.relaying_proxy import ProxyRequest, RelayingProxy, Verdict
from Support.scripted_origin import ScriptedOrigin
from Support.squid import HOST, Squid

READER = {"user": sentinels.USER, "password": sentinels.PASSWORD}
Connect = Callable[[], RealmPeer]


def start_squid(directory: Path, realm: Realm, keytab: Path, identity: Identity | None = None) -> Squid:
    return Squid(
        directory,
        sentinels.USER,
        sentinels.PASSWORD,
        ("negotiate",),
        identity,
        keytab=keytab,
        environment=realm.environment,
    )


@pytest.fixture(scope="session")
def keytab(realm: Realm) -> Path:
    return realm.add_keytab(f"HTTP/{HOST}")


@pytest.fixture(scope="session")
def squid(run_directory: Path, realm: Realm, keytab: Path, authority: Authority) -> Iterator[Squid]:
    identity = authority.issue("squid-negotiate", f"DNS:{HOST}")
    squid = start_squid(run_directory / "squid-negotiate", realm, keytab, identity)
    yield squid
    squid.stop()


def test_the_command_sends_tickets_or_a_password_to_the_proxy(
    daemon: Daemon, squid: Squid, nginx: Nginx, realm: Realm, cache: Path, tmp_path: Path
) -> None:
    command = Command(daemon)
    program = tmp_path / "askpass"
    program.write_text(f'#!/bin/sh\necho "{sentinels.PASSWORD}"\n')
    program.chmod(0o700)
    resolve = f"{HOST}:{squid.plain_port}:127.0.0.1"
    through = ["-x", squid.named_url, "--resolve", resolve, nginx.plain + "/small"]
    done = command("fetch", "--proxy-negotiate", "-U", sentinels.USER, "--askpass", str(program), *through)
    assert (done.returncode, done.stdout) == (OK, documents.SMALL), "before kinit"
    assert command("fetch", "--proxy-negotiate", "--no-ask", *through).returncode == AUTHENTICATION
    realm.kinit(sentinels.USER, sentinels.PASSWORD, cache)
    other = ["--resolve", f"other.test:{squid.plain_port}:127.0.0.1", *through]
    assert command("fetch", "--no-ask", *other).returncode == AUTHENTICATION, "not without the option"
    for user in ([], ["-U", ":"]):
        done = command("fetch", "--proxy-negotiate", *user, "--no-ask", *through)
        assert (done.returncode, done.stdout) == (OK, documents.SMALL)
    # The session of these settings has it now.
    assert command("fetch", "--no-ask", *through).stdout == documents.SMALL
    for wrong in (
        ["-U", ":", *through],
        ["--proxy-negotiate", nginx.plain],
        ["--proxy-negotiate", "-x", "socks5://a", "b"],
    ):
        assert command("fetch", *wrong).returncode == USAGE
    assert sentinels.traces_in(command.shown) == []


def test_the_options_for_the_proxy_give_an_origin_no_kerberos(
    daemon: Daemon,
    squid: Squid,
    realm: Realm,
    cache: Path,
    authority: Authority,
    origins: Callable[..., ScriptedOrigin],
    tls_context: ssl.SSLContext,
    tmp_path: Path,
) -> None:
    asked = tmp_path / "asked"
    program = tmp_path / "askpass"
    program.write_text(f'#!/bin/sh\necho "$1" >> "{asked}"\necho "{sentinels.PASSWORD}"\n')
    program.chmod(0o700)

    async def refuse(exchange: Exchange) -> None:
        if (exchange.request.authorization or "").startswith("Basic "):
            return await exchange.respond(200, [], b"page")
        await exchange.respond(
            401, [("WWW-Authenticate", "Negotiate"), ("WWW-Authenticate", "Basic realm=r")], b""
        )

    url = origins(tls_context).serve("/", refuse)
    realm.kinit(sentinels.USER, sentinels.PASSWORD, cache)
    through = ["-x", squid.named_url, "--resolve", f"{HOST}:{squid.plain_port}:127.0.0.1", url]
    done = Command(daemon)(
        *("fetch", "--proxy-negotiate", "-u", sentinels.USER, "--askpass", str(program)),
        *("--cacert", str(authority.certificate), *through),
    )
    assert (done.returncode, done.stdout) == (OK, b"page"), done.stderr
    assert len(asked.read_text().splitlines()) == 1


def open_through(
    peer: RealmPeer, squid: Squid, authority: Authority, *methods: str, ambient: bool = False, **members: Json
) -> str:
    negotiate = {"ambientOrigins": [squid.named_url]} if ambient else {}
    configuration: dict[str, Json] = {
        "addresses": squid.addresses,
        "proxies": {"all": squid.named_url},
        "methods": {"negotiate": negotiate},
        "tls": {"roots": {"certificates": authority.pem}},
        **members,
    }
    return peer.open(configuration=configuration, session=list(methods))


@pytest.mark.parametrize("scheme", ["plain", "tls", "http2"])
def test_a_reply_with_a_password_opens_the_way(
    peer: RealmPeer, squid: Squid, authority: Authority, nginx: Nginx, scheme: str
) -> None:
    session = open_through(peer, squid, authority, "negotiate")
    url = getattr(nginx, scheme) + "/small"
    fetch = peer.start_fetch(session, url)
    challenge = peer.asked()
    space = challenge["protectionSpace"]
    assert (space["authenticationMethod"], space["isProxy"], space["proxyType"]) == (
        "negotiate",
        True,
        "http",
    )
    assert (space["host"], space["port"], space["realm"]) == (HOST, squid.plain_port, None)
    peer.answer(challenge, READER)
    result = peer.result(fetch)
    assert result["body"]["text"] == documents.SMALL.decode()
    for again in (url, nginx.plain + "/small", nginx.tls + "/small", url):
        assert peer.fetch(session, again)["status"] == 200
    peer.nothing_asked()
    (entry,) = peer.call("credential/list", {"session": session})["credentials"]
    assert (entry["user"], entry["protectionSpace"]["isProxy"]) == (sentinels.USER, True)


@pytest.mark.parametrize("scheme", ["plain", "tls"])
def test_tickets_open_a_listed_proxy_without_a_question(
    peer: RealmPeer,
    squid: Squid,
    authority: Authority,
    realm: Realm,
    nginx: Nginx,
    cache: Path,
    scheme: str,
) -> None:
    realm.kinit(sentinels.USER, sentinels.PASSWORD, cache)
    url = getattr(nginx, scheme) + "/small"
    explained = open_through(peer, squid, authority, ambient=True)
    credential = peer.call("explain", {"session": explained, "url": url})["proxyCredential"]
    assert credential["source"] == "ambient"
    assert peer.fetch(explained, url)["status"] == 200
    unlisted = open_through(peer, squid, authority)
    error = peer.error(lambda: peer.fetch(unlisted, url))
    assert (error.kind, error.data["hop"]) == ("proxyAuthenticationFailed", "proxy")


@pytest.mark.parametrize("scheme", ["plain", "tls"])
def test_a_wrong_password_is_a_refusal(
    peer: RealmPeer, squid: Squid, authority: Authority, nginx: Nginx, scheme: str
) -> None:
    session = open_through(peer, squid, authority, "negotiate")
    fetch = peer.start_fetch(session, getattr(nginx, scheme) + "/small")
    peer.answer(peer.asked(), {**READER, "password": "wrong"})
    again = peer.asked()
    assert (again["error"]["kind"], again["previousFailureCount"]) == ("credentialRefused", 1)
    peer.answer(again, READER)
    assert peer.result(fetch)["status"] == 200


@pytest.mark.parametrize("scheme", ["plain", "tls", "http2"])
def test_an_https_proxy_takes_a_token_with_the_first_request(
    peer: RealmPeer, squid: Squid, authority: Authority, nginx: Nginx, scheme: str
) -> None:
    url = f"https://{HOST}:{squid.tls_port}"
    session = open_through(peer, squid, authority, "negotiate", proxies={"all": url})
    page = getattr(nginx, scheme) + "/small"
    fetch = peer.start_fetch(session, page)
    peer.answer(peer.asked(), {**READER, "password": "wrong"})
    again = peer.asked()
    assert (again["protectionSpace"]["proxyType"], again["error"]["kind"]) == ("https", "credentialRefused")
    peer.answer(again, READER)
    assert peer.result(fetch)["body"]["text"] == documents.SMALL.decode()
    fetches = [peer.start_fetch(session, page) for _ in range(50)]
    assert {peer.result(fetch)["status"] for fetch in fetches} == {200}
    for other in (nginx.plain, nginx.tls):
        assert peer.fetch(session, other + "/small")["status"] == 200
    peer.nothing_asked()


def test_without_a_ticket_the_error_names_the_proxy(
    peer: RealmPeer, squid: Squid, authority: Authority, nginx: Nginx
) -> None:
    session = open_through(peer, squid, authority, ambient=True)
    for url in (nginx.plain, nginx.tls):
        error = peer.error(partial(peer.fetch, session, url + "/small"))
        assert (error.kind, error.data["hop"]) == ("authenticationFailed", "proxy")
        assert (error.data["reason"], error.data["proxy"]) == ("ticketMissing", squid.named_url)


def test_a_missing_ticket_is_a_question_and_kinit_answers_it(
    peer: RealmPeer, squid: Squid, authority: Authority, realm: Realm, nginx: Nginx, cache: Path
) -> None:
    session = open_through(peer, squid, authority, "negotiate", ambient=True)
    fetch = peer.start_fetch(session, nginx.tls + "/small")
    challenge = peer.asked()
    assert challenge["error"]["kind"] == "ticketMissing" and challenge["protectionSpace"]["isProxy"]
    realm.kinit(sentinels.USER, sentinels.PASSWORD, cache)
    peer.answer(challenge, {"kerberos": {"cache": "default"}})
    assert peer.result(fetch)["status"] == 200


def test_a_thousand_fetches_raise_one_challenge(
    peer: RealmPeer, squid: Squid, authority: Authority, nginx: Nginx
) -> None:
    session = open_through(peer, squid, authority, "negotiate")
    fetches = [
        peer.start_fetch(session, (nginx.tls if number % 2 else nginx.plain) + "/small", output="discard")
        for number in range(1000)
    ]
    peer.answer(peer.asked(), READER)
    assert {peer.result(fetch, 60)["status"] for fetch in fetches} == {200}
    assert peer.counter("challenges.raised") == 1


@pytest.mark.parametrize("scheme", ["plain", "tls"])
def test_killing_the_proxy_fails_its_fetches_and_the_next_one_recovers(
    peer: RealmPeer,
    realm: Realm,
    keytab: Path,
    authority: Authority,
    nginx: Nginx,
    run_directory: Path,
    tmp_path_factory: pytest.TempPathFactory,
    scheme: str,
) -> None:
    squid = start_squid(run_directory / tmp_path_factory.mktemp("squid").name, realm, keytab)
    session = open_through(peer, squid, authority, "negotiate")
    url = getattr(nginx, scheme) + "/small"
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.asked(), READER)
    assert peer.result(fetch)["status"] == 200
    squid.kill()
    error = peer.error(lambda: peer.fetch(session, url))
    assert (error.kind, error.data["hop"]) == ("proxyFailed", "proxy")
    squid.start()
    assert peer.fetch(session, url)["status"] == 200
    peer.nothing_asked()
    squid.stop()


ANSWER = base64.b64encode(b"\x60\x03abc").decode()


def liar(request: ProxyRequest) -> Verdict:
    """Lets a request with a token through, and answers with one that proves nothing."""
    if (request.authorization or "").startswith("Negotiate "):
        return Verdict(True, (("Proxy-Authenticate", f"Negotiate {ANSWER}"),))
    return Verdict(False, (("Proxy-Authenticate", "Negotiate"),))


def mute(request: ProxyRequest) -> Verdict:
    return Verdict(
        liar(request).passes, () if request.authorization else (("Proxy-Authenticate", "Negotiate"),)
    )


@pytest.mark.parametrize(
    ("judge", "scheme", "passes"),
    [(liar, "plain", False), (liar, "tls", False), (mute, "plain", True), (mute, "tls", True)],
    ids=["lie", "lie for a tunnel", "nothing", "nothing for a tunnel"],
)
def test_a_proxy_that_does_not_prove_itself_delivers_nothing_of_its_own(
    peer: RealmPeer,
    realm: Realm,
    keytab: Path,
    authority: Authority,
    nginx: Nginx,
    judge: Callable[[ProxyRequest], Verdict],
    scheme: str,
    passes: bool,
) -> None:
    proxy = RelayingProxy(judge)
    url = f"http://{HOST}:{proxy.port}"
    session = peer.open(
        configuration={
            "addresses": {"resolve": {f"{HOST}:{proxy.port}": "127.0.0.1"}},
            "proxies": {"all": url},
            "tls": {"roots": {"certificates": authority.pem}},
        },
        session=["negotiate"],
    )
    fetch = peer.start_fetch(session, getattr(nginx, scheme) + "/small")
    peer.answer(peer.asked(), READER)
    if passes:
        assert peer.result(fetch)["status"] == 200
    else:
        error = peer.error(lambda: peer.result(fetch))
        assert (error.kind, error.data["hop"]) == ("serverNotAuthenticated", "proxy")
    proxy.stop()


@pytest.fixture(scope="session")
def keeping(run_directory: Path, realm: Realm) -> Iterator[Squid]:
    """Open for all; it says `Proxy-Support` (RFC 4559 section 6) for origins that ask for Negotiate."""
    squid = Squid(
        run_directory / "squid-keeping", sentinels.USER, sentinels.PASSWORD, hosts=(kerberos_apache.HOST,)
    )
    yield squid
    squid.stop()


@pytest.mark.parametrize("path", ["/negotiate/small", "/bound/small"])
def test_an_origin_behind_a_plain_proxy_that_keeps_sessions_gets_tickets(
    peer: RealmPeer, keeping: Squid, web: KerberosApache, realm: Realm, cache: Path, path: str
) -> None:
    realm.kinit(sentinels.USER, sentinels.PASSWORD, cache)
    negotiate = {"ambientOrigins": [web.plain]}
    configuration: Json = {"proxies": {"all": keeping.url}, "methods": {"negotiate": negotiate}}
    session = peer.open(configuration=configuration)
    for _ in range(3):
        assert peer.fetch(session, web.plain + path)["status"] == 200
    peer.nothing_asked()
