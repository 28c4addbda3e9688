"""Cookies: one jar for each session, with the rules of the web."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.wire import Json, Peer, RemoteError, kind_of
from Support.exchange import Exchange, Script, head
from Support.scripted_origin import Gate, ScriptedOrigin
from Support.scripts import raw, redirect, reply

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


def test_a_cookie_for_another_host_is_not_kept(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    given = setting("a=1; Domain=example.com", "b=2; Domain=com", "c=3; Domain=1")
    peer.fetch(session, origin.serve("/", reply(headers=given)))
    assert names(peer, session) == set()


@pytest.mark.parametrize("root", ["", "."], ids=["name", "name with the root's dot"])
def test_cookies_of_a_public_suffix_are_refused(peer: Peer, origin: ScriptedOrigin, root: str) -> None:
    resolve = {"addresses": {"resolve": {f"www.shop.co.uk{root}:{origin.port}": "127.0.0.1"}}}
    session = peer.open("suffix", configuration=resolve)
    given = setting(f"bad=1; Domain=co.uk{root}", f"good=1; Domain=shop.co.uk{root}")
    origin.serve("/", reply(headers=given))
    peer.fetch(session, f"http://www.shop.co.uk{root}:{origin.port}/")
    assert names(peer, session) == {"good"}


@pytest.mark.parametrize(
    ("domain", "is_taken"),
    [(".co.uk", False), (".CO.UK.", False), (".com", False), ("co.uk", True), (".shop.co.uk", True)],
)
def test_a_cookie_of_a_public_suffix_cannot_be_set(peer: Peer, domain: str, is_taken: bool) -> None:
    params = {"cookie": {"name": "a", "value": "b", "domain": domain}}
    if is_taken:
        assert peer.call("cookie/set", params) == {}
        return
    with pytest.raises(RemoteError) as refused:
        peer.call("cookie/set", params)
    assert (refused.value.kind, refused.value.data["path"]) == ("invalidParams", "params.cookie.domain")


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


def head_first(gate: Gate, *cookies: str) -> Script:
    """Sends a head, and its body when the gate opens."""

    async def script(exchange: Exchange) -> None:
        await exchange.send(head(200, [*setting(*cookies), ("Content-Length", "2")]) + b"o")
        await gate.opened()
        await exchange.send(b"k")

    return script


def resolved(origin: ScriptedOrigin, *hosts: str) -> Json:
    return {"resolve": {f"{host}:{origin.port}": "127.0.0.1" for host in hosts}}


def test_origin_only_decides_when_the_cookie_arrives(peer: Peer, origin: ScriptedOrigin) -> None:
    """Not when the response ends: others fetch meanwhile, and other responses end."""
    hosts = ("www.shop.example", "sub.www.shop.example", "other.example")
    members = {"cookies": "originOnly", "addresses": resolved(origin, *hosts)}
    session = peer.open("strict", configuration=members)
    www, sub, other = (f"http://{host}:{origin.port}" for host in hosts)
    gate = origin.gate()
    origin.serve("/held", head_first(gate, "mine=1; Domain=www.shop.example; Path=/"))
    origin.serve("/set", reply(headers=setting("else=1")))
    origin.serve("/", reply())
    peer.request("task/start", {"session": session, "url": f"{www}/held", "output": "discard"})
    peer.notification("task/didReceiveResponse")
    peer.fetch(session, f"{sub}/")
    assert cookies_sent(origin) == set()
    peer.fetch(session, f"{other}/set")
    peer.fetch(session, f"{www}/")
    assert cookies_sent(origin) == {"mine=1"}
    gate.open()
    peer.notification("task/didFinish")
    peer.fetch(session, f"{www}/")
    assert cookies_sent(origin) == {"mine=1"}
    peer.fetch(session, f"{sub}/")
    assert cookies_sent(origin) == set()


@pytest.mark.parametrize("policy", ["accept", "originOnly"])
def test_cookies_of_an_interim_response_are_not_kept(peer: Peer, origin: ScriptedOrigin, policy: str) -> None:
    session = peer.open("p", configuration={"cookies": policy})
    early = head(103, setting("early=1"), "Early Hints")
    late = head(200, [*setting("late=1"), ("Content-Length", "0")])
    peer.fetch(session, origin.serve("/", raw(early + late)))
    assert names(peer, session) == {"late"}


@pytest.mark.parametrize("policy", ["accept", "originOnly"])
def test_a_prefix_keeps_its_promise(peer: Peer, origin: ScriptedOrigin, policy: str) -> None:
    session = peer.open("p", configuration={"cookies": policy})
    given = setting(
        "__Secure-a=1",
        "__Host-b=1; Secure",
        "__Host-c=1; Secure; Path=/x",
        "__Host-d=1; Secure; Path=/; Domain=127.0.0.1",
        "__host-e=1; Path=/",
        "__Secure-f=1; Secure",
        "__Host-g=1; Secure; Path=/",
    )
    peer.fetch(session, origin.serve("/", reply(headers=given)))
    assert names(peer, session) == {"__Secure-f", "__Host-g"}
    cookie = {"name": "__Host-h", "value": "1", "domain": "h.test"}
    assert kind_of(peer.call, "cookie/set", {"session": session, "cookie": cookie}) == "invalidParams"
    assert peer.call("cookie/set", {"session": session, "cookie": {**cookie, "secure": True}}) == {}


def test_cookies_are_bounded_by_origin_response_and_session(peer: Peer, origin: ScriptedOrigin) -> None:
    hosts = [f"h{index}.example" for index in range(40)]
    session = peer.open("many", configuration={"addresses": resolved(origin, *hosts)})
    limits = peer.call("status")["limits"]

    def fetch_cookies(host: str, first: int, count: int) -> None:
        given = setting(*(f"n{index}=1" for index in range(first, first + count)))
        origin.serve("/many", reply(headers=given))
        peer.fetch(session, f"http://{host}:{origin.port}/many")

    fetch_cookies(hosts[0], 0, 100)
    assert len(names(peer, session)) == limits["cookiesPerResponse"]
    for host in hosts:
        for first in range(0, 200, 50):
            fetch_cookies(host, first, 50)
        kept = names(peer, session, url=f"http://{host}:{origin.port}/")
        assert len(kept) == limits["cookiesPerOrigin"]
        assert "n199" in kept
    everything = peer.call("cookie/list", {"session": session})["cookies"]
    assert limits["cookiesPerSession"] // 2 < len(everything) <= limits["cookiesPerSession"]
    assert peer.call("cookie/remove", {"session": session}) == {"removed": len(everything)}


LOGIN_PAGE = {
    "page": "http://127.0.0.1/login",
    "fields": {"user": "u", "password": "p"},
    "success": {},
}


def test_cookies_of_a_fetch_end_with_it(peer: Peer, origin: ScriptedOrigin) -> None:
    """Unless its caller has chosen the session, or asks for that."""
    origin.serve("/a", redirect("/b", headers=setting("a=1; Path=/")))
    origin.serve("/b", reply(headers=setting("b=2; Path=/")))
    settings = peer.call("session/open", {"bySettings": True, "configuration": {"redirects": {"limit": 5}}})
    for session in ("default", settings["session"]):
        peer.fetch(session, f"{origin.url}/a")
        assert cookies_sent(origin) == {"a=1"}, "as before within one task"
        assert names(peer, session) == set()
        peer.fetch(session, f"{origin.url}/b")
        assert cookies_sent(origin) == set()
        peer.fetch(session, f"{origin.url}/a", cookies="session")
        assert names(peer, session) == {"a", "b"}
        peer.fetch(session, f"{origin.url}/b")
        assert cookies_sent(origin) == set(), "nor is it sent those that another one keeps"
        peer.fetch(session, f"{origin.url}/b", cookies="session")
        assert cookies_sent(origin) == {"a=1", "b=2"}


def test_a_task_may_have_its_own_in_any_session(peer: Peer, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply(headers=setting("a=1")))
    for session in (peer.open("s"), peer.open()):
        peer.fetch(session, url, cookies="task")
        assert names(peer, session) == set()
        peer.fetch(session, url)
        peer.fetch(session, url, cookies="task")
        assert cookies_sent(origin) == set()
        assert names(peer, session) == {"a"}


@pytest.mark.parametrize("policy", ["never", "originOnly"])
def test_the_policy_of_the_session_is_for_a_tasks_own_too(
    peer: Peer, origin: ScriptedOrigin, policy: str
) -> None:
    origin.serve("/a", redirect("/b", headers=setting("a=1; Path=/")))
    origin.serve("/b", reply())
    session = peer.open(configuration={"cookies": policy})
    peer.fetch(session, f"{origin.url}/a", cookies="task")
    assert cookies_sent(origin) == (set() if policy == "never" else {"a=1"})


def test_login_forms_keep_the_cookies_of_their_session(peer: Peer, origin: ScriptedOrigin) -> None:
    """In default, too: a login would be lost with its task (methods.md 16.8)."""
    url = origin.serve("/", reply(headers=setting("a=1")))
    assert peer.call("session/open", {"name": "default", "configuration": {"forms": [LOGIN_PAGE]}})["created"]
    with pytest.raises(RemoteError) as refused:
        peer.fetch("default", url, cookies="task")
    assert (refused.value.kind, refused.value.data["path"]) == ("invalidParams", "params.cookies")
    peer.fetch("default", url)
    assert names(peer, "default") == {"a"}
    assert kind_of(peer.fetch, "default", url, cookies="never") == "invalidParams"
