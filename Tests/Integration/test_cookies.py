"""Cookies: one jar for each session, with the rules of the web."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.wire import Json, Peer, kind_of
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import redirect, reply

pytestmark = pytest.mark.core

Origins = Callable[..., ScriptedOrigin]


def cookies_sent(origin: ScriptedOrigin) -> set[str]:
    """Cookies of the last request."""
    field = origin.requests[-1].header("Cookie")
    return set(field.split("; ")) if field else set()


def names(peer: Peer, session: str, **members: Json) -> set[str]:
    cookies = peer.call("cookie/list", {"session": session, **members})["cookies"]
    return {cookie["name"] for cookie in cookies}


def setting(*values: str) -> list[tuple[str, str]]:
    return [("Set-Cookie", value) for value in values]


def test_cookies_come_back_to_their_paths(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    origin.serve("/*", reply())
    given = setting("a=1", "b=2; Path=/deep", "c=3; Max-Age=0")
    peer.fetch(session, origin.serve("/set", reply(headers=given)))
    peer.fetch(session, f"{origin.url}/")
    assert cookies_sent(origin) == {"a=1"}
    peer.fetch(session, f"{origin.url}/deep/x")
    assert cookies_sent(origin) == {"a=1", "b=2"}


def test_cookies_stay_in_their_session(peer: Peer, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply(headers=setting("a=1")))
    first, second = peer.open("one"), peer.open("two")
    peer.fetch(first, url)
    peer.fetch(second, url)
    assert cookies_sent(origin) == set()
    peer.fetch(first, url)
    assert cookies_sent(origin) == {"a=1"}


def test_cookies_are_shared_by_the_processes_of_a_session(
    connect: Callable[..., Peer], origin: ScriptedOrigin
) -> None:
    url = origin.serve("/", reply(headers=setting("a=1")))
    first = connect()
    first.fetch(first.open("s"), url)
    connect().fetch("s", url)
    assert cookies_sent(origin) == {"a=1"}


@pytest.mark.parametrize(("policy", "kept"), [("accept", True), ("never", False), ("originOnly", True)])
def test_the_session_says_which_cookies_it_keeps(
    peer: Peer, origin: ScriptedOrigin, policy: str, kept: bool
) -> None:
    session = peer.open("p", configuration={"cookies": policy})
    url = origin.serve("/", reply(headers=setting("a=1")))
    peer.fetch(session, url)
    peer.fetch(session, url)
    assert cookies_sent(origin) == ({"a=1"} if kept else set())


def test_a_cookie_given_with_a_401_or_a_redirect_counts(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    origin.serve("/next", reply())
    peer.fetch(session, origin.serve("/", redirect("/next", headers=setting("a=1"))))
    assert cookies_sent(origin) == {"a=1"}
    peer.fetch(session, origin.serve("/no", reply(401, b"", setting("b=2"))))
    assert names(peer, session) == {"a", "b"}


def test_a_cookie_for_somebody_else_is_not_kept(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    given = setting("a=1; Domain=example.com", "b=2; Domain=com", "c=3; Domain=1")
    peer.fetch(session, origin.serve("/", reply(headers=given)))
    assert names(peer, session) == set()


def test_cookies_of_a_public_suffix_are_refused(peer: Peer, origin: ScriptedOrigin) -> None:
    resolve = {"addresses": {"resolve": {f"www.shop.co.uk:{origin.port}": "127.0.0.1"}}}
    session = peer.open("suffix", configuration=resolve)
    given = setting("bad=1; Domain=co.uk", "good=1; Domain=shop.co.uk")
    origin.serve("/", reply(headers=given))
    peer.fetch(session, f"http://www.shop.co.uk:{origin.port}/")
    assert names(peer, session) == {"good"}


def test_cookies_can_be_set_listed_and_removed(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    url = origin.serve("/", reply())
    cookie = {"name": "lang", "value": "en", "domain": "127.0.0.1", "path": "/", "httpOnly": True}
    assert peer.call("cookie/set", {"session": session, "cookie": cookie}) == {}
    peer.call("cookie/set", {"session": session, "cookie": {**cookie, "name": "far", "domain": "far.test"}})
    assert names(peer, session) == {"lang", "far"}
    assert names(peer, session, url=url) == {"lang"}
    (listed,) = peer.call("cookie/list", {"session": session, "url": url})["cookies"]
    assert (listed["value"], listed["domain"].lstrip("."), listed["path"]) == ("en", "127.0.0.1", "/")
    assert (listed["secure"], listed["httpOnly"], listed["expires"]) == (False, True, None)
    peer.fetch(session, url)
    assert cookies_sent(origin) == {"lang=en"}
    assert peer.call("cookie/remove", {"session": session, "name": "lang"}) == {"removed": 1}
    assert peer.call("cookie/remove", {"session": session}) == {"removed": 1}
    assert names(peer, session) == set()


@pytest.mark.parametrize(
    "members",
    [
        {"name": "a b"},
        {"name": ""},
        {"value": "x\r\nSet-Cookie: y"},
        {"value": "a;b"},
        {"path": "no-slash"},
        {"domain": ""},
        {"expires": "soon"},
        {"colour": "red"},
    ],
)
def test_a_malformed_cookie_is_refused(peer: Peer, members: Json) -> None:
    cookie = {"name": "a", "value": "b", "domain": "h.test", **members}
    assert kind_of(peer.call, "cookie/set", {"cookie": cookie}) == "invalidParams"


def test_a_cookie_field_of_the_caller_is_sent_once(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    url = origin.serve("/", reply(headers=setting("a=1")))
    peer.fetch(session, url)
    peer.fetch(session, url, headers=[["Cookie", "mine=1"]])
    assert "mine=1" in cookies_sent(origin)
    assert len(origin.requests[-1].all("Cookie")) == 1
