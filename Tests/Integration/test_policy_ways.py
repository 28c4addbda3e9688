"""Ways past the administrator's policy: what a caller decides about a server does not loosen it."""

from __future__ import annotations

import ssl
from collections.abc import Callable

import pytest

from Integration.test_trust_rules import begun_handshake, change, pin_of
from Integration.wire import Json, Peer, RemoteError
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.exchange import Exchange
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reply

pytestmark = pytest.mark.core

Governed = Callable[..., tuple[Daemon, Peer]]
Origins = Callable[..., ScriptedOrigin]

#: No chain of localhost is accepted that the system does not trust.
STRICT = {"domains": [{"domain": "localhost", "allowsLooseningTrust": False}]}
STRICT_RULE = "transportSecurity.domains[0].allowsLooseningTrust"
#: Cleartext is for localhost only.
EXCEPTION = {
    "defaults": {"allowsCleartext": False},
    "domains": [{"domain": "localhost", "allowsCleartext": True}],
}
EXCEPTION_RULE = "transportSecurity.domains[0].allowsCleartext"
#: Where nothing listens: no request may get as far.
NOWHERE = "127.0.0.1:9"


@pytest.fixture
def secure(origins: Origins, tls_context: ssl.SSLContext) -> ScriptedOrigin:
    origin = origins(tls_context)
    origin.serve("/", reply())
    return origin


def rooted(authority: Authority, exclusive: bool = False, **members: Json) -> Json:
    return {"tls": {"roots": {"certificates": authority.pem, "exclusive": exclusive}, **members}}


def refused(peer: Peer, url: str, rule: str, configuration: Json = None, **members: Json) -> None:
    session = peer.open(configuration=configuration or {})
    with pytest.raises(RemoteError) as caught:
        peer.fetch(session, url, **members)
    assert (caught.value.kind, caught.value.data["rule"]) == ("policyRefused", rule)


def local(origin: ScriptedOrigin, path: str = "/") -> str:
    return f"http://localhost:{origin.port}{path}"


@pytest.mark.parametrize("way", ["more", "only these", "a pin", "ephemeral"])
def test_roots_of_a_caller_are_no_roots_of_a_strict_host(
    governed: Governed, secure: ScriptedOrigin, authority: Authority, way: str
) -> None:
    _, peer = governed(STRICT)
    configuration = rooted(authority, exclusive=way == "only these")
    if way == "a pin":
        key = "sha256/" + "A" * 43 + "="
        configuration["tls"]["pins"] = [{"host": "localhost", "publicKeys": [key], "reportOnly": True}]
    if way == "ephemeral":
        configuration["credentialStorage"] = "private"
    refused(peer, secure.url + "/", STRICT_RULE, configuration)
    assert secure.connections == []


@pytest.mark.parametrize("host", ["LOCALHOST", "localhost."])
def test_another_spelling_is_no_other_host(
    governed: Governed, secure: ScriptedOrigin, authority: Authority, host: str
) -> None:
    _, peer = governed(STRICT)
    configuration = rooted(authority)
    configuration["addresses"] = {"resolve": {f"localhost.:{secure.port}": "127.0.0.1"}}
    refused(peer, f"https://{host}:{secure.port}/", STRICT_RULE, configuration)
    assert secure.connections == []


def test_a_redirect_leads_no_caller_past_the_rule(
    governed: Governed, secure: ScriptedOrigin, origin: ScriptedOrigin, authority: Authority
) -> None:
    async def moved(exchange: Exchange) -> None:
        await exchange.respond(302, [("Location", secure.url + "/")])

    _, peer = governed(STRICT)
    refused(peer, origin.serve("/", moved), STRICT_RULE, rooted(authority))
    assert secure.connections == []


@pytest.mark.parametrize("scheme", ["http", "socks5", "socks4a"])
def test_a_proxy_leads_no_caller_past_the_rule(
    governed: Governed, secure: ScriptedOrigin, authority: Authority, scheme: str
) -> None:
    _, peer = governed(STRICT)
    proxies = {"all": f"{scheme}://{NOWHERE}"}
    refused(peer, secure.url + "/", STRICT_RULE, rooted(authority), proxies=proxies)


def test_a_strict_proxy_is_not_trusted_by_roots_of_a_caller(
    governed: Governed, origin: ScriptedOrigin, secure: ScriptedOrigin, authority: Authority
) -> None:
    _, peer = governed(STRICT)
    refused(
        peer, origin.url + "/", STRICT_RULE, rooted(authority), proxies={"http": secure.url, "except": []}
    )
    assert secure.connections == origin.connections == []


def test_a_restriction_is_no_way_past_the_rule(
    governed: Governed, secure: ScriptedOrigin, authority: Authority
) -> None:
    _, peer = governed(STRICT)
    peer.open("s", configuration=rooted(authority))
    peer.call("peer/restrict", {"session": "s", "rules": [{"origin": secure.url}]})
    with pytest.raises(RemoteError) as caught:
        peer.call("fetch", {"url": secure.url + "/"})
    assert (caught.value.kind, caught.value.data["rule"]) == ("policyRefused", STRICT_RULE)
    assert secure.connections == []


def test_a_connection_from_before_the_rule_is_not_used(
    governed: Governed, secure: ScriptedOrigin, authority: Authority
) -> None:
    daemon, peer = governed({})
    session = peer.open(configuration=rooted(authority))
    assert peer.fetch(session, secure.url + "/")["status"] == 200
    change(daemon, peer, STRICT)
    with pytest.raises(RemoteError) as caught:
        peer.fetch(session, secure.url + "/")
    assert (caught.value.kind, caught.value.data["rule"]) == ("policyRefused", STRICT_RULE)
    assert len(secure.requests) == 1


def test_a_handshake_from_before_the_rule_does_not_count(
    governed: Governed, authority: Authority, tls_context: ssl.SSLContext
) -> None:
    daemon, peer = governed({})
    session = peer.open(configuration=rooted(authority))
    with begun_handshake(peer, session) as (fetch, _, _):
        change(daemon, peer, STRICT)
        with pytest.raises(RemoteError) as caught:
            peer.result(fetch)
    assert (caught.value.kind, caught.value.data["rule"]) == ("policyRefused", STRICT_RULE)


def test_keys_that_the_administrator_pins_need_no_system_root(
    governed: Governed, secure: ScriptedOrigin, authority: Authority
) -> None:
    pin = pin_of(authority.directory / "scripted.pem")
    rule = {"domain": "localhost", "allowsLooseningTrust": False, "pinnedPublicKeys": [pin]}
    _, peer = governed({"domains": [rule]})
    session = peer.open(configuration=rooted(authority))
    assert peer.fetch(session, secure.url + "/")["status"] == 200


def test_roots_of_the_system_open_a_strict_host(
    governed: Governed, secure: ScriptedOrigin, authority: Authority
) -> None:
    _, peer = governed(STRICT, SSL_CERT_FILE=str(authority.certificate))
    assert peer.fetch(peer.open(), secure.url + "/")["status"] == 200


@pytest.mark.parametrize(
    "configuration",
    [
        {"addresses": {"resolve": {"localhost:80": "127.0.0.1"}}},
        {"addresses": {"resolve": {"elsewhere.test:80": "127.0.0.1"}}},
        {"proxies": {"http": f"http://{NOWHERE}", "except": []}},
        {"proxies": {"http": f"https://{NOWHERE}", "except": []}},
        {"proxies": {"all": f"socks5h://{NOWHERE}", "except": []}},
    ],
    ids=str,
)
def test_an_exception_of_cleartext_is_for_the_server_of_the_name(
    governed: Governed, origin: ScriptedOrigin, configuration: Json
) -> None:
    _, peer = governed(EXCEPTION)
    url = local(origin)
    origin.serve("/", reply())
    assert peer.fetch(peer.open(), url)["status"] == 200
    refused(peer, url, EXCEPTION_RULE, configuration)
    if "proxies" in configuration:
        refused(peer, url, EXCEPTION_RULE, proxies=configuration["proxies"])
    assert len(origin.requests) == 1


def test_a_redirect_leads_no_caller_past_an_exception(
    governed: Governed, origin: ScriptedOrigin, secure: ScriptedOrigin, authority: Authority
) -> None:
    async def moved(exchange: Exchange) -> None:
        await exchange.respond(302, [("Location", local(origin))])

    _, peer = governed(EXCEPTION, SSL_CERT_FILE=str(authority.certificate))
    configuration = {
        "redirects": {"allowDowngrade": True},
        "addresses": {"resolve": {f"localhost:{origin.port}": "127.0.0.1"}},
    }
    secure.serve("/moved", moved)
    refused(peer, secure.url + "/moved", EXCEPTION_RULE, configuration)
    assert origin.connections == []


def test_the_address_of_the_environments_proxy_is_not_a_callers(
    governed: Governed, origin: ScriptedOrigin
) -> None:
    """An exception goes through the administrator's proxy, and not to where a caller says that this is."""
    _, peer = governed(EXCEPTION, http_proxy=f"http://proxy.test:{origin.port}")
    configuration = {"addresses": {"resolve": {f"proxy.test:{origin.port}": "127.0.0.1"}}}
    refused(peer, local(origin), EXCEPTION_RULE, configuration)
    assert origin.connections == []


def test_cleartext_that_no_rule_forbids_goes_where_a_caller_says(
    governed: Governed, origin: ScriptedOrigin
) -> None:
    _, peer = governed({"domains": [{"domain": "bank.test", "allowsCleartext": False}]})
    origin.serve("/", reply())
    configuration = {"addresses": {"resolve": {f"elsewhere.test:{origin.port}": "127.0.0.1"}}}
    session = peer.open(configuration=configuration)
    assert peer.fetch(session, f"http://elsewhere.test:{origin.port}/")["status"] == 200
