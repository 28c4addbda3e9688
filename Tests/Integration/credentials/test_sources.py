"""Credentials of the administrator's sources: files that are rotated, and git's credential helpers."""

from __future__ import annotations

import json
import os
import select
import time
from pathlib import Path

import pytest

from Integration import sentinels
from Integration.credentials.scene import Guarded, SourceScene, listed, name_source, space
from Integration.vault.scene import restart
from Integration.wire import PATIENCE, Json, RemoteError, kind_of
from Support.daemon import Daemon
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.threads

FIRST, SECOND = f"{sentinels.MARK}.first", f"{sentinels.MARK}.second"


@pytest.mark.parametrize("is_silent", [False, True], ids=["with a challenge", "without one"])
def test_a_file_is_read_again_when_its_token_is_refused(
    scene: SourceScene, origin: ScriptedOrigin, is_silent: bool
) -> None:
    guarded = Guarded(origin, FIRST)
    guarded.is_silent = is_silent
    path = scene.file(FIRST + "\n")
    peer = scene.peer(pages={"kind": "file", "path": path})
    session = peer.open()
    name_source(peer, origin, session)
    assert peer.fetch(session, guarded.url)["status"] == 200
    # Rotated: the server takes only the new one.
    guarded.accepted = (SECOND,)
    scene.file(SECOND)
    assert peer.fetch(session, guarded.url)["status"] == 200
    assert guarded.refused == 1
    entry = listed(peer, session)[0]
    assert (entry["source"], entry["sourceName"], entry["kind"]) == ("named", "pages", "token")
    assert peer.counter("sources.read") == 2


def test_waiting_tasks_share_one_reading(scene: SourceScene, origin: ScriptedOrigin) -> None:
    guarded = Guarded(origin, FIRST)
    path = scene.file(SECOND)
    peer = scene.peer(pages={"kind": "file", "path": path})
    session = peer.open()
    name_source(peer, origin, session)
    scene.file(FIRST)
    fetches = [peer.start_fetch(session, guarded.url) for _ in range(20)]
    assert {peer.result(fetch)["status"] for fetch in fetches} == {200}
    # Once for the call, and once for all tasks.
    assert peer.counter("sources.read") == 2


def test_a_delegate_is_asked_when_the_source_has_nothing_new(
    scene: SourceScene, origin: ScriptedOrigin
) -> None:
    guarded = Guarded(origin, SECOND)
    peer = scene.peer(pages={"kind": "file", "path": scene.file(FIRST)})
    session = peer.open(tasks=["bearer"])
    name_source(peer, origin, session)
    fetch = peer.start_fetch(session, guarded.url)
    challenge = peer.challenge()
    assert challenge["previousFailureCount"] == 1
    peer.answer(challenge, {"token": SECOND})
    assert peer.result(fetch)["status"] == 200
    # What the delegate gave has taken the source's place.
    entry = listed(peer, session)[0]
    assert entry["source"] == "session"


def test_a_delegate_names_a_source(scene: SourceScene, origin: ScriptedOrigin) -> None:
    guarded = Guarded(origin, sentinels.PASSWORD, "basic")
    path = scene.file(sentinels.PASSWORD)
    peer = scene.peer(pages={"kind": "file", "path": path, "user": sentinels.USER})
    session = peer.open(tasks=["basic"])
    fetch = peer.start_fetch(session, guarded.url)
    challenge = peer.challenge()
    with pytest.raises(RemoteError) as caught:
        peer.answer(challenge, {"source": "other"})
    assert (caught.value.kind, caught.value.data["reason"]) == ("credentialUnusable", "unknownName")
    peer.answer(challenge, {"source": "pages"})
    assert peer.result(fetch)["status"] == 200
    guarded.accepted = (sentinels.OTHER_PASSWORD,)
    scene.file(sentinels.OTHER_PASSWORD)
    assert peer.fetch(session, guarded.url)["status"] == 200
    peer.nothing_asked()


def test_a_source_serves_its_origins_only(scene: SourceScene, origin: ScriptedOrigin) -> None:
    Guarded(origin, FIRST)
    peer = scene.peer(
        pages={"kind": "file", "path": scene.file(FIRST), "origins": ["https://elsewhere.test"]}
    )
    with pytest.raises(RemoteError) as caught:
        name_source(peer, origin, peer.open())
    assert (caught.value.kind, caught.value.data["reason"]) == ("credentialUnusable", "otherOrigin")


def test_a_helper_is_asked_as_git_asks_it(scene: SourceScene, origin: ScriptedOrigin) -> None:
    guarded = Guarded(origin, sentinels.PASSWORD, "basic")
    command = scene.helper(
        f"""
        directory=$(dirname "$0")
        echo "$@" >"$directory/arguments"
        cat >"$directory/question"
        printf 'username={sentinels.USER}\\npassword={sentinels.PASSWORD}\\nquit=0\\n'
        """
    )
    peer = scene.peer(pages={"kind": "gitHelper", "command": [*command, "--store"]})
    session = peer.open(tasks=["basic"])
    fetch = peer.start_fetch(session, guarded.url)
    peer.answer(peer.challenge(), {"source": "pages"})
    assert peer.result(fetch)["status"] == 200
    host = origin.url.removeprefix("http://")
    assert (scene.directory / "arguments").read_text() == "--store get\n"
    assert (scene.directory / "question").read_text() == (
        f'capability[]=authtype\nprotocol=http\nhost={host}\nwwwauth[]=Basic realm="staff"\n\n'
    )


@pytest.mark.parametrize(
    ("says", "reason"),
    [
        ("quit=1", "stopped"),
        ("quit=yes", "stopped"),
        ("username=x\\nquit=true", "stopped"),
        ("quit=0", "empty"),
    ],
)
def test_a_helper_that_quits_stops_the_task(
    scene: SourceScene, origin: ScriptedOrigin, says: str, reason: str
) -> None:
    """git asks nobody else then, and no person."""
    guarded = Guarded(origin, sentinels.PASSWORD, "basic")
    good = f"username={sentinels.USER}\\npassword={sentinels.PASSWORD}"
    file = scene.directory / "says"
    file.write_text(good.replace("\\n", "\n") + "\n")
    peer = scene.peer(pages={"kind": "gitHelper", "command": scene.helper(f"cat {file}")})
    session = peer.open(tasks=["basic"])
    fetch = peer.start_fetch(session, guarded.url)
    peer.answer(peer.challenge(), {"source": "pages"})
    assert peer.result(fetch)["status"] == 200
    guarded.accepted = ("another",)
    file.write_text(says.replace("\\n", "\n") + "\n")
    fetch = peer.start_fetch(session, guarded.url)
    if reason == "empty":
        challenge = peer.challenge()
        assert challenge["error"]["reason"] == reason
        peer.dispose(challenge, "cancelAuthenticationChallenge")
        with pytest.raises(RemoteError):
            peer.result(fetch)
        return
    with pytest.raises(RemoteError) as caught:
        peer.result(fetch)
    assert (caught.value.kind, caught.value.data["reason"]) == ("credentialSourceFailed", reason)
    peer.nothing_asked()


@pytest.mark.parametrize(
    ("says", "reason"),
    [
        (f"username=u\\npassword={sentinels.PASSWORD}\\npassword_expiry_utc=1\\n", "expired"),
        ("quit=1\\n", "stopped"),
        ("", "empty"),
        (f"authtype=Bearer\\ncredential={FIRST}\\n", "unfit"),
    ],
)
def test_an_error_has_the_source_s_own_word(
    scene: SourceScene, origin: ScriptedOrigin, says: str, reason: str
) -> None:
    guarded = Guarded(origin, sentinels.PASSWORD, "basic")
    peer = scene.peer(pages={"kind": "gitHelper", "command": scene.helper(f"printf '{says}'")})
    session = peer.open(tasks=["basic"])
    peer.start_fetch(session, guarded.url)
    challenge = peer.challenge()
    with pytest.raises(RemoteError) as caught:
        peer.answer(challenge, {"source": "pages"})
    assert caught.value.kind == "credentialUnusable"
    assert (caught.value.data["reason"], caught.value.data["sourceReason"]) == ("sourceFailed", reason)


def test_a_token_is_renewed_ahead_of_its_end(scene: SourceScene, origin: ScriptedOrigin) -> None:
    guarded = Guarded(origin, FIRST)
    guarded.accepted = (FIRST, SECOND)
    command = scene.helper(
        f"""
        file=$(dirname "$0")/first
        if [ ! -e "$file" ]; then
          : >"$file"
          printf 'authtype=Bearer\\ncredential={FIRST}\\npassword_expiry_utc={int(time.time()) + 4}\\n'
        else
          printf 'authtype=bearer\\ncredential={SECOND}\\npassword_expiry_utc=99999999999\\n'
        fi
        """
    )
    peer = scene.peer(pages={"kind": "gitHelper", "command": command})
    session = peer.open()
    name_source(peer, origin, session)
    assert peer.fetch(session, guarded.url)["status"] == 200
    # A quarter of its time is left when a fetch begins the reading, for those that follow.
    deadline = time.monotonic() + 60
    while listed(peer, session)[0]["secondsLeft"] < 60 and time.monotonic() < deadline:
        assert peer.fetch(session, guarded.url)["status"] == 200
    guarded.accepted = (SECOND,)
    assert peer.fetch(session, guarded.url)["status"] == 200
    assert peer.counter("sources.read") == 2


def held(scene: SourceScene, after: str) -> Json:
    """A helper that gives the first token, and waits at a gate when there is one."""
    command = scene.helper(
        f"""
        directory=$(dirname "$0")
        if [ -p "$directory/gate" ]; then
          : >"$directory/began"
          cat "$directory/gate"
          {after}
        fi
        printf 'authtype=Bearer\\ncredential={FIRST}\\n'
        """
    )
    return {"kind": "gitHelper", "command": command}


def wait_for(path: Path) -> None:
    limit = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < limit


def open_gate(scene: SourceScene) -> None:
    (scene.directory / "gate").open("w").close()


def test_a_session_that_ends_during_a_reading_gets_no_credential(
    scene: SourceScene, origin: ScriptedOrigin
) -> None:
    peer = scene.peer(pages=held(scene, ":"))
    session = peer.open("reports")
    os.mkfifo(scene.directory / "gate")
    params = {
        "session": session,
        "protectionSpace": space(origin, method="bearer"),
        "credential": {"source": "pages"},
    }
    call = peer.request("credential/set", params)
    wait_for(scene.directory / "began")
    peer.call("session/invalidate", {"session": session})
    # Another one of the same name is another session.
    again = peer.open("reports")
    open_gate(scene)
    with pytest.raises(RemoteError) as caught:
        peer.result(call)
    assert caught.value.kind == "sessionInvalidated"
    assert listed(peer, again) == []


def test_a_session_that_ends_while_its_tasks_wait_for_a_source(
    scene: SourceScene, origin: ScriptedOrigin
) -> None:
    guarded = Guarded(origin, FIRST)
    peer = scene.peer(pages=held(scene, "exit 1"))
    session = peer.open("reports")
    name_source(peer, origin, session)
    guarded.accepted = (SECOND,)
    os.mkfifo(scene.directory / "gate")
    fetch = peer.start_fetch(session, guarded.url)
    wait_for(scene.directory / "began")
    peer.call("session/invalidate", {"session": session})
    with pytest.raises(RemoteError) as caught:
        peer.result(fetch)
    assert caught.value.kind == "taskCancelled"
    open_gate(scene)
    limit = time.monotonic() + 60
    while peer.counter("sources.failed") == 0:
        assert time.monotonic() < limit
    # No task waited for what it gave, or not.
    assert "source of credentials not usable" not in (peer.path.parent / "daemon.log").read_text()


@pytest.mark.parametrize(
    ("script", "said"),
    [
        pytest.param("exit 1", "it has no credential", id="nothing"),
        pytest.param("echo garbage", "what it says is malformed", id="garbage"),
        pytest.param("printf 'password=a\\rb\\n'", "what it says is malformed", id="control character"),
        pytest.param("yes password=x", "it is too large", id="endless"),
        pytest.param("echo username=u; echo password=p", "does not fit the method", id="wrong kind"),
        pytest.param("echo authtype=Bearer", "what it says is malformed", id="no credential"),
        pytest.param("kill -9 $$", "it has no credential", id="killed"),
    ],
)
def test_a_broken_helper_is_a_clear_error(
    scene: SourceScene, origin: ScriptedOrigin, script: str, said: str
) -> None:
    peer = scene.peer(pages={"kind": "gitHelper", "command": scene.helper(script)})
    with pytest.raises(RemoteError) as caught:
        name_source(peer, origin, peer.open())
    assert caught.value.data["reason"] == "sourceFailed"
    assert said in str(caught.value)


def test_a_helper_that_hangs_ends_with_the_daemon(scene: SourceScene, origin: ScriptedOrigin) -> None:
    helper = scene.helper('echo $$ >"$(dirname "$0")/number"; read line <"$(dirname "$0")/never"')
    for name in ("number", "never"):
        os.mkfifo(scene.directory / name)
    peer = scene.peer(pages={"kind": "gitHelper", "command": helper})
    named = {"protectionSpace": space(origin, method="bearer"), "credential": {"source": "pages"}}
    peer.request("credential/set", {"session": peer.open(), **named})
    process = os.pidfd_open(int((scene.directory / "number").read_text()))
    restart(scene.daemon)
    readable, _, _ = select.select([process], [], [], PATIENCE / 2)
    os.close(process)
    assert readable, "it has ended"


def test_a_broken_file_is_a_clear_error(scene: SourceScene, origin: ScriptedOrigin) -> None:
    path = Path(scene.file(FIRST))
    peer = scene.peer(
        pages={"kind": "file", "path": str(path)}, gone={"kind": "file", "path": "/nowhere/secret"}
    )
    session = peer.open()
    for mode, said in ((0o640, "its mode must be 0600"), (0o600, None)):
        path.chmod(mode)
        if said is None:
            name_source(peer, origin, session)
            continue
        with pytest.raises(RemoteError) as caught:
            name_source(peer, origin, session)
        assert said in str(caught.value)
    path.write_bytes(b"x" * 65_537)
    assert kind_of(lambda: name_source(peer, origin, session)) == "credentialUnusable"


def test_a_removed_credential_takes_its_source_along(scene: SourceScene, origin: ScriptedOrigin) -> None:
    guarded = Guarded(origin, FIRST)
    peer = scene.peer(pages={"kind": "file", "path": scene.file(FIRST)})
    session = peer.open()
    name_source(peer, origin, session)
    assert peer.fetch(session, guarded.url)["status"] == 200
    peer.call("credential/remove", {"session": session, "protectionSpace": space(origin, method="bearer")})
    assert peer.fetch(session, guarded.url)["status"] == 401


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ({"kind": "gitHelper", "command": ["helper"]}, "command: must begin with an absolute path"),
        ({"kind": "gitHelper"}, "command: is missing"),
        ({"kind": "file", "path": "secret"}, "path: must be an absolute path"),
        ({"kind": "systemd", "name": "../secret"}, "name: must be a credential's name, not a path"),
        ({"kind": "vault"}, "kind: must be one of"),
        ({"path": "/secret"}, "kind: is missing"),
        ({"kind": "file", "path": "/secret", "users": "u"}, "users: unknown member"),
    ],
)
def test_a_source_that_is_not_understood_is_refused(tmp_path: Path, source: Json, said: str) -> None:
    configuration = tmp_path / "configuration.json"
    configuration.write_text(json.dumps({"credentialSources": {"pages": source}}))
    with pytest.raises(RuntimeError) as caught:
        Daemon(["--configuration", str(configuration)])
    assert f"credentialSources.pages.{said}" in str(caught.value)
