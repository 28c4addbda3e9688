"""Every other method of the protocol."""

from __future__ import annotations

from typing import Any

import pytest

import watchword
from fake_daemon import FakeDaemon, challenge
from Support.fake_daemon import Peer
from watchword import Client


def test_every_method_sends_its_name_and_parameters() -> None:
    seen: list[tuple[str, Any]] = []
    space_wire = {
        "protocol": "https",
        "host": "h",
        "port": 443,
        "realm": "r",
        "authenticationMethod": "basic",
        "isProxy": False,
    }
    stored = {
        "protectionSpace": space_wire,
        "user": "u",
        "kind": "password",
        "persistence": "forSession",
        "isDefault": True,
        "source": "reply",
        "limits": {},
        "uses": 3,
        "lastUsed": None,
        "created": "2026-11-21T12:05:00.5Z",
        "secondsLeft": 60,
    }
    results = {
        "session/list": {"sessions": [{"session": "a"}]},
        "session/prune": {"sessions": ["a"]},
        "task/list": {"tasks": []},
        "challenge/list": {"challenges": [challenge("t")]},
        "challenge/describe": challenge("t"),
        "credential/list": {"credentials": [stored]},
        "credential/remove": {"removed": 1},
        "credential/retry": {"retried": 1},
        "cookie/list": {"cookies": []},
        "cookie/remove": {"removed": 2},
    }

    def script(peer: Peer) -> None:
        try:
            while True:
                request = peer.message()
                seen.append((request["method"], request["params"]))
                peer.reply(request, results.get(request["method"], {}))
        except EOFError:
            pass

    space = watchword.ProtectionSpace("https", "h", 443, "r", "basic")
    with FakeDaemon(script) as path, Client(path) as client:
        session = client.default_session()
        assert [dict(one) for one in client.sessions()] == [{"session": "a"}]
        assert client.tasks("a") == session.tasks() == []
        client.describe_task("t")
        client.cancel_task("t")
        assert client.challenges()[0].id == session.challenges()[0].id == client.challenge("c").id
        client.reply("c", watchword.reject())
        session.explain("http://a/", "GET", headers={"Host": "b.test"})
        session.describe()
        session.set_credential(space, watchword.Credential(token="t"), default=True)
        (listed,) = session.list_credentials()
        assert listed.protection_space == space
        assert listed.seconds_left == 60
        assert session.remove_credential(space, "u") == 1
        session.set_default_credential(space, "u")
        assert session.retry_credentials("http://a/") == 1
        assert session.list_cookies() == []
        session.set_cookie({"name": "a", "value": "b", "domain": "c", "path": "/"})
        assert session.remove_cookies() == 2
        session.configure({"redirects": {"limit": 3}})
        session.reset()
        session.finish()
        session.invalidate()
        client.status()
        client.discover()
        client.make_vault()
        client.make_vault(passphrase="p")
        client.set_vault_passphrase("q")
        client.set_vault_passphrase("r", keep_others=True)
        client.rekey_vault()
        client.rekey_vault("secretService")
        client.check_vault()
        client.lock("p")
        client.unlock("q")
        client.forget()
        assert client.prune_sessions(60) == ["a"]
        client.configuration()
        client.reload()
        client.restart()
        client.shut_down(graceful=False)
        assert client.call("anything/else", {"a": 1}) == {}
    default = {"session": "default"}
    assert seen == [
        ("session/list", {}),
        ("task/list", {"session": "a"}),
        ("task/list", default),
        ("task/describe", {"task": "t"}),
        ("task/cancel", {"task": "t"}),
        ("challenge/list", {}),
        ("challenge/list", default),
        ("challenge/describe", {"challenge": "c"}),
        ("challenge/reply", {"challenge": "c", "disposition": "rejectProtectionSpace"}),
        ("explain", {**default, "url": "http://a/", "method": "GET", "headers": [["Host", "b.test"]]}),
        ("session/describe", default),
        (
            "credential/set",
            {
                **default,
                "protectionSpace": space_wire,
                "credential": {"token": "t", "persistence": "forSession"},
                "default": True,
            },
        ),
        ("credential/list", default),
        ("credential/remove", {**default, "protectionSpace": space_wire, "user": "u"}),
        ("credential/setDefault", {**default, "protectionSpace": space_wire, "user": "u"}),
        ("credential/retry", {**default, "url": "http://a/"}),
        ("cookie/list", default),
        ("cookie/set", {**default, "cookie": {"name": "a", "value": "b", "domain": "c", "path": "/"}}),
        ("cookie/remove", default),
        ("session/configure", {**default, "configuration": {"redirects": {"limit": 3}}}),
        ("session/reset", default),
        ("session/finish", default),
        ("session/invalidate", default),
        ("status", {}),
        ("rpc.discover", {}),
        ("vault/init", {}),
        ("vault/init", {"passphrase": "p"}),
        ("vault/passphrase", {"passphrase": "q"}),
        ("vault/passphrase", {"passphrase": "r", "keepOthers": True}),
        ("vault/rekey", {}),
        ("vault/rekey", {"opener": "secretService"}),
        ("vault/check", {}),
        ("agent/lock", {"passphrase": "p"}),
        ("agent/unlock", {"passphrase": "q"}),
        ("agent/forget", {}),
        ("session/prune", {"olderThanSeconds": 60}),
        ("server/configuration", {}),
        ("server/reload", {}),
        ("server/restart", {}),
        ("server/shutdown", {"graceful": False}),
        ("anything/else", {"a": 1}),
    ]


def test_the_status_can_be_watched() -> None:
    def script(peer: Peer) -> None:
        request = peer.expect("status/subscribe")
        assert request["params"] == {"intervalSeconds": 0.5}
        peer.notify("status/didChange", {"n": 1})
        peer.reply(request, {"subscribed": True})
        peer.notify("status/didChange", {"n": 2})
        peer.reply(peer.expect("status/unsubscribe"), {"subscribed": False})

    with FakeDaemon(script) as path, Client(path) as client, client.watch_status(0.5) as snapshots:
        assert dict(next(snapshots)) == {"n": 1}
        assert dict(snapshots.next(timeout=5) or {}) == {"n": 2}
        with pytest.raises(TimeoutError):
            snapshots.next(timeout=0.01)


def test_a_missing_argument_is_that_of_the_public_function() -> None:
    verbs: Any = Client
    with pytest.raises(TypeError, match=r"^(Client\.)?get\(\) missing 1 required positional argument: 'url'$"):
        verbs.get(None)
    verbs = watchword.AsyncSession
    with pytest.raises(TypeError, match=r"^(AsyncSession\.)?post\(\) missing 1 required"):
        verbs.post(None)
    assert Client.get.__doc__ == "Fetches with GET."
