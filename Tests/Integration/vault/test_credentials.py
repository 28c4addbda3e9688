"""Permanent credentials: kept for the uid, over restarts, for sessions with shared storage."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest

from Integration.crowd import Crowd
from Integration.sentinels import OTHER_PASSWORD, OTHER_USER, PASSWORD, TOKEN, USER, WRONG_PASSWORD, traces_in
from Integration.vault.scene import (
    FOR_EVER,
    answer_once,
    directory_of,
    keep,
    key_of,
    listed,
    restart,
    space_of,
    status_of,
    vault_of,
)
from Integration.wire import Json, Peer, kind_of, password
from Support.daemon import Daemon
from Support.guards import BasicGuard, BearerGuard, DigestGuard, Guard, guarded
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.threads
Connect = Callable[..., Peer]


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("method", ["basic", "digest", "bearer"])
def test_an_answer_serves_after_a_restart(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin, method: str, how: signal.Signals
) -> None:
    guards: dict[str, Guard] = {
        "basic": BasicGuard("staff", USER, PASSWORD),
        "digest": DigestGuard("staff", USER, PASSWORD),
        "bearer": BearerGuard("staff", TOKEN),
    }
    url = origin.serve("/x", guarded(guards[method]))
    credential = {"token": TOKEN, "persistence": "permanent"} if method == "bearer" else FOR_EVER
    answer_once(connect(), url, credential)
    restart(daemon, how)
    peer = connect()
    assert status_of(peer, url) == 200
    assert [one["protectionSpace"]["authenticationMethod"] for one in listed(peer)] == [method]
    peer.nothing_asked()


def test_a_real_server_accepts_it_after_a_restart(daemon: Daemon, connect: Connect, nginx: Nginx) -> None:
    url = nginx.plain + "/staff/small"
    answer_once(connect(), url)
    restart(daemon)
    assert status_of(connect(), url) == 200


def test_the_first_one_makes_a_vault_and_says_so_once(daemon: Daemon, connect: Connect, staff: str) -> None:
    peer = connect()
    assert not directory_of(daemon).exists()
    answer_once(peer, staff)
    keep(peer, staff, password(OTHER_USER, OTHER_PASSWORD, "permanent"))
    assert daemon.output().count("vault made") == 1
    for path, mode in ((directory_of(daemon), 0o700), (vault_of(daemon), 0o600), (key_of(daemon), 0o600)):
        assert path.stat().st_mode & 0o777 == mode
    status = peer.call("status")["vault"]
    assert status == {
        "path": str(vault_of(daemon)),
        "state": "open",
        "credentials": 2,
        "trust": 0,
        "identities": 0,
        "unreadable": 0,
        "opensWith": "keyFile",
        "openers": ["keyFile"],
        "reason": None,
    }


def test_other_sessions_use_it_and_private_ones_do_not(connect: Connect, staff: str) -> None:
    peer = connect()
    answer_once(peer, staff)
    assert status_of(peer, staff) == 200
    assert status_of(connect(), staff) == 200
    assert status_of(peer, staff, credentialStorage="private") == 401
    private = peer.open(configuration={"credentialStorage": "private"})
    assert peer.call("credential/list", {"session": private})["credentials"] == []
    members = {"session": private, "protectionSpace": space_of(staff), "credential": FOR_EVER}
    assert kind_of(peer.call, "credential/set", members) == "storageUnavailable"


def test_a_delegate_is_shown_it_and_default_handling_uses_it(connect: Connect, staff: str) -> None:
    peer = connect()
    answer_once(peer, staff)
    session = peer.open(tasks=["*"])
    fetch = peer.start_fetch(session, staff)
    challenge = peer.challenge()
    assert challenge["proposedCredential"] == {"user": USER, "source": "permanent"}
    peer.dispose(challenge, "performDefaultHandling")
    assert peer.result(fetch)["status"] == 200
    # The session has it now, and sends it preemptively.
    assert peer.fetch(session, staff)["status"] == 200
    peer.nothing_asked()


def test_the_session_s_own_comes_first(connect: Connect, origin: ScriptedOrigin) -> None:
    guard = BasicGuard("staff", OTHER_USER, OTHER_PASSWORD)
    url = origin.serve("/x", guarded(guard))
    peer = connect()
    keep(peer, url)
    session = peer.open()
    own = password(OTHER_USER, OTHER_PASSWORD)
    peer.call("credential/set", {"session": session, "protectionSpace": space_of(url), "credential": own})
    assert peer.fetch(session, url)["status"] == 200
    assert [one["user"] for one in listed(peer)] == [USER]


def test_a_refused_answer_is_not_kept(connect: Connect, staff: str) -> None:
    peer = connect()
    session = peer.open(tasks=["*"])
    fetch = peer.start_fetch(session, staff)
    peer.answer(peer.challenge(), password(USER, WRONG_PASSWORD, "permanent"))
    again = peer.challenge()
    assert listed(peer) == []
    peer.answer(again, FOR_EVER)
    assert peer.result(fetch)["status"] == 200
    assert [one["user"] for one in listed(peer)] == [USER]


def test_a_refused_one_is_removed_from_the_disk(daemon: Daemon, connect: Connect, staff: str) -> None:
    peer = connect()
    keep(peer, staff, password(USER, WRONG_PASSWORD, "permanent"))
    assert status_of(peer, staff) == 401
    assert listed(peer) == []
    # The removal is written before what follows it.
    keep(peer, staff.replace("/x", "/y"), password(OTHER_USER, OTHER_PASSWORD, "permanent"))
    restart(daemon, signal.SIGKILL)
    assert [one["user"] for one in listed(connect())] == [OTHER_USER]


def test_a_refusal_of_the_old_one_leaves_the_new_one(connect: Connect, origin: ScriptedOrigin) -> None:
    guard = BasicGuard("staff", USER, PASSWORD)
    url = origin.serve("/x", guarded(guard))
    peer = connect()
    keep(peer, url)
    session = peer.open()
    assert peer.fetch(session, url)["status"] == 200
    guard.password = OTHER_PASSWORD
    keep(peer, url, password(USER, OTHER_PASSWORD, "permanent"))
    # The copy of the session went with the record that it was made from.
    assert peer.fetch(session, url)["status"] == 200
    assert len(listed(peer)) == 1


def test_removing_is_for_every_session_and_for_the_disk(daemon: Daemon, connect: Connect, staff: str) -> None:
    peer = connect()
    answer_once(peer, staff)
    user = peer.open()
    assert peer.fetch(user, staff)["status"] == 200
    other = connect()
    space = space_of(staff)
    assert other.call("credential/remove", {"protectionSpace": space}) == {"removed": 1}
    assert peer.fetch(user, staff)["status"] == 401
    restart(daemon, signal.SIGKILL)
    assert listed(connect()) == [] and status_of(connect(), staff) == 401


def test_the_default_is_kept_and_can_be_changed(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/x", guarded(BasicGuard("staff", OTHER_USER, OTHER_PASSWORD)))
    peer = connect()
    keep(peer, url, password(OTHER_USER, OTHER_PASSWORD, "permanent"))
    keep(peer, url)
    assert {one["user"]: one["isDefault"] for one in listed(peer)} == {USER: True, OTHER_USER: False}
    space = space_of(url)
    assert peer.call("credential/setDefault", {"protectionSpace": space, "user": OTHER_USER}) == {}
    missing = {"protectionSpace": space, "user": "nobody"}
    assert kind_of(peer.call, "credential/setDefault", missing) == "credentialNotFound"
    restart(daemon, signal.SIGKILL)
    peer = connect()
    assert {one["user"]: one["isDefault"] for one in listed(peer)} == {USER: False, OTHER_USER: True}
    assert status_of(peer, url) == 200


def test_one_for_any_realm_is_bound_to_the_realm_that_accepts_it(
    daemon: Daemon, connect: Connect, staff: str
) -> None:
    peer = connect()
    space = {key: value for key, value in space_of(staff).items() if key != "realm"}
    peer.call("credential/set", {"protectionSpace": space, "credential": FOR_EVER})
    assert "realm" not in listed(peer)[0]["protectionSpace"]
    assert status_of(peer, staff) == 200
    keep(peer, staff.replace("/x", "/y"), password(OTHER_USER, OTHER_PASSWORD, "permanent"))
    restart(daemon, signal.SIGKILL)
    assert {one["protectionSpace"]["realm"] for one in listed(connect())} == {"staff"}


def test_limits_are_kept_with_it(daemon: Daemon, connect: Connect, staff: str) -> None:
    peer = connect()
    limits = {"maximumUses": 3, "methods": ["GET"], "pathPrefixes": ["/x"], "lifetimeSeconds": 3600}
    keep(peer, staff, password(USER, PASSWORD, "permanent", limits=limits))
    assert [status_of(peer, staff), status_of(peer, staff)] == [200, 200]
    restart(daemon)
    peer = connect()
    assert [(one["limits"], one["uses"]) for one in listed(peer)] == [(limits, 2)]
    assert [status_of(peer, staff), status_of(peer, staff)] == [200, 401]
    assert listed(peer) == []


def test_the_holders_are_told(connect: Connect, staff: str) -> None:
    peer, observer = connect(), connect()
    observer.open("s")
    keep(peer, staff)
    told = observer.notification("credential/didChange")
    assert (told["change"], told["user"]) == ("added", USER)
    peer.call("credential/remove", {"protectionSpace": space_of(staff)})
    assert observer.notification("credential/didChange")["change"] == "removed"


def test_a_restricted_connection_is_not_told(connect: Connect, staff: str) -> None:
    peer, restricted = connect(), connect()
    peer.open("s")
    restricted.call(
        "peer/restrict",
        {"session": "s", "rules": [{"methods": ["GET"], "origin": staff.removesuffix("/x"), "path": "/*"}]},
    )
    keep(peer, staff)
    restricted.call("ping")
    assert [note["method"] for note in restricted.notifications] == []


def test_explain_names_its_source(connect: Connect, staff: str) -> None:
    peer = connect()
    keep(peer, staff)
    explained = peer.call("explain", {"url": staff})
    assert explained["credential"]["source"] == "permanent" and not explained["preemptive"]
    peer.fetch("default", staff)
    explained = peer.call("explain", {"url": staff})
    assert explained["credential"]["source"] == "permanent" and explained["preemptive"]


def test_a_use_is_confirmed_by_another_process(daemon: Daemon, connect: Connect, staff: str) -> None:
    peer = connect()
    keep(peer, staff, password(USER, PASSWORD, "permanent", limits={"confirm": True}))
    assert status_of(peer, staff) == 401
    peer.open("s", session=["*"])
    # Nobody confirms a use of its own: it is asked for a credential of its own.
    fetch = peer.start_fetch("s", staff)
    challenge = peer.challenge()
    assert (challenge["error"], challenge["proposedCredential"]) == (None, None)
    peer.dispose(challenge, "performDefaultHandling")
    assert peer.result(fetch)["status"] == 401
    other = Crowd(daemon, "s", staff, 1, processes=1)
    other.start()
    challenge = peer.challenge()
    assert challenge["error"]["kind"] == "confirmUse"
    assert challenge["error"]["process"] not in (None, os.getpid())
    peer.dispose(challenge, "performDefaultHandling")
    assert other.outcomes() == {"200": 1}


def test_a_secret_is_on_the_disk_only_sealed(daemon: Daemon, connect: Connect, staff: str) -> None:
    answer_once(connect(), staff)
    files = [path for path in (daemon.directory / "state").rglob("*") if path.is_file()]
    assert vault_of(daemon) in files
    assert not [path for path in files if traces_in(path.read_bytes())]


def test_what_the_vault_does_not_keep_is_refused(connect: Connect, staff: str) -> None:
    peer = connect()
    members: Json = {
        "protectionSpace": space_of(staff, None, "negotiate"),
        "credential": {"kerberos": {"cache": "default"}, "persistence": "permanent"},
    }
    assert kind_of(peer.call, "credential/set", members) == "storageUnavailable"


def test_the_uses_of_a_reply_count_for_its_record(
    connect: Connect, origin: ScriptedOrigin, daemon: Daemon
) -> None:
    url = origin.serve("/x", guarded(BasicGuard("staff", USER, PASSWORD)))
    peer = connect()
    session = peer.open(tasks=["*"])
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), password(USER, PASSWORD, "permanent", limits={"maximumUses": 2}))
    assert peer.result(fetch)["status"] == 200
    assert peer.fetch(session, url)["status"] == 200
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), None)
    assert peer.result(fetch)["status"] == 401
    assert listed(peer) == []
    assert [request.authorization is None for request in origin.requests] == [True, False, False, True]
    assert "exchanges without progress" not in daemon.output()
