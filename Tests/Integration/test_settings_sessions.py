"""Sessions that are named after their settings (messages.md 4.14, 4.15)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.sentinels import OTHER_PASSWORD, PASSWORD, USER
from Integration.wire import Json, Peer, RemoteError, kind_of, password
from Support.daemon import Daemon
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.core

Connect = Callable[..., Peer]
#: More than the daemon keeps of one uid before the one unused for longest makes room.
KEPT = 64


def opened(peer: Peer, configuration: Json, **members: object) -> Json:
    return peer.call("session/open", {"bySettings": True, "configuration": configuration, **members})


def resolving(number: int) -> Json:
    return {"addresses": {"resolve": {f"a{number}.test:80": "127.0.0.1"}}}


def kept(peer: Peer, session: str) -> None:
    """Gives the session something that a later caller would miss."""
    space = {
        "protocol": "http",
        "host": "a.test",
        "port": 80,
        "realm": "r",
        "authenticationMethod": "basic",
    }
    peer.call(
        "credential/set",
        {
            "session": session,
            "protectionSpace": space,
            "credential": {"user": USER, "password": PASSWORD, "persistence": "forSession"},
        },
    )


def names(peer: Peer) -> set[str]:
    return {one["session"] for one in peer.call("session/list")["sessions"]}


def test_the_same_settings_are_the_same_session(connect: Connect) -> None:
    first, second = connect(), connect()
    made = opened(first, {"redirects": {"limit": 5}, "cookies": "never"})
    assert made["created"] and made["session"].startswith("settings-")
    # In another order, and with a default spelled out.
    again = {"cookies": "never", "tls": {"minimumVersion": "1.2"}, "redirects": {"limit": 5}}
    assert opened(second, again) == {"session": made["session"], "created": False}
    assert opened(second, {"redirects": {"limit": 6}, "cookies": "never"})["session"] != made["session"]
    assert opened(second, {})["session"] not in (made["session"], "default")


def test_the_name_depends_on_secrets_and_does_not_tell_them(peer: Peer, daemon: Daemon) -> None:
    made = set()
    for word in (PASSWORD, OTHER_PASSWORD):
        made.add(
            opened(peer, {"netrc": {"text": f"machine a.test login {USER} password {word}\n"}})["session"]
        )
        made.add(opened(peer, {"proxies": {"all": f"http://{USER}:{word}@127.0.0.1:9"}})["session"])
        made.add(opened(peer, {"headers": [["Authorization", f"Bearer {word}"]]})["session"])
    assert len(made) == 6
    settings = {"redirects": {"limit": 5}}
    other = Daemon()
    try:
        elsewhere = Peer(other.socket)
        assert opened(elsewhere, settings)["session"] != opened(peer, settings)["session"]
        elsewhere.close()
    finally:
        other.stop()


def test_a_variant_tells_equal_settings_apart(peer: Peer) -> None:
    sessions = [
        opened(peer, {}, **members)["session"] for members in ({}, {"variant": "a"}, {"variant": "b"})
    ]
    assert len(set(sessions)) == 3
    assert opened(peer, {}, variant="a")["session"] == sessions[1]


@pytest.mark.parametrize(
    ("parameters", "path"),
    [
        ({"name": "s", "bySettings": True}, "params.bySettings"),
        ({"variant": "a"}, "params.variant"),
        ({"name": "s", "variant": "a"}, "params.variant"),
        ({"bySettings": True, "variant": ""}, "params.variant"),
        ({"bySettings": True, "variant": "a" * 1025}, "params.variant"),
        ({"bySettings": "yes"}, "params.bySettings"),
    ],
)
def test_a_name_is_chosen_or_made(peer: Peer, parameters: Json, path: str) -> None:
    with pytest.raises(RemoteError) as caught:
        peer.call("session/open", parameters)
    assert (caught.value.kind, caught.value.data["path"]) == ("invalidParams", path)


def test_only_settings_make_such_a_name(connect: Connect) -> None:
    first, second = connect(), connect()
    assert kind_of(first.call, "session/open", {"name": "settings-mine"}) == "sessionNotFound"
    name = opened(first, {})["session"]
    # Who is asked there, for example, joins it by its name.
    assert second.call("session/open", {"name": name}) == {"session": name, "created": False}


def test_credentials_do_not_cross(connect: Connect, origin: ScriptedOrigin) -> None:
    url = origin.serve("/staff", guarded(BasicGuard("staff", USER, PASSWORD)))
    peer = connect()
    first = opened(peer, {"redirects": {"limit": 5}}, delegate={"tasks": ["basic"]})["session"]
    request = peer.start_fetch(first, url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(request)["status"] == 200
    other = connect()
    assert other.fetch(opened(other, {"redirects": {"limit": 5}})["session"], url)["status"] == 200
    for session in ("default", opened(other, {"redirects": {"limit": 6}})["session"], other.open("named")):
        assert other.fetch(session, url)["status"] == 401


def test_it_stays_when_it_keeps_something(connect: Connect, origin: ScriptedOrigin) -> None:
    watcher, peer = connect(), connect()
    watcher.call("session/list")
    empty = opened(peer, resolving(1))["session"]
    full = opened(peer, resolving(2))["session"]
    kept(peer, full)
    peer.call("session/close", {"session": empty})
    peer.call("session/close", {"session": full})
    assert names(watcher) == {full}
    assert opened(watcher, resolving(2)) == {"session": full, "created": False}
    assert opened(watcher, resolving(1))["created"]


def test_the_one_unused_for_longest_makes_room(connect: Connect) -> None:
    watcher, peer = connect(), connect()
    made = []
    for number in range(KEPT):
        made.append(opened(peer, resolving(number))["session"])
        kept(peer, made[-1])
        # The second one stays in use.
        if number != 1:
            peer.call("session/close", {"session": made[-1]})
    watcher.call("session/open", {"name": made[0]})
    watcher.call("session/close", {"session": made[0]})
    newest = opened(peer, resolving(KEPT))["session"]
    assert set(made) - names(watcher) == {made[2]}, "the first one was used again since"
    assert newest in names(watcher)
