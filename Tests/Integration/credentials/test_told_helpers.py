"""A helper of git is told what servers accept and refuse (storage.md 9.7.11)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from Integration import sentinels
from Integration.credentials.oauth_scene import eventually
from Integration.credentials.scene import Guarded, SourceScene, put, space
from Integration.proxies.scene import REFUSAL, ScriptedProxy, open_through
from Integration.wire import Json, Peer, kind_of
from Support.exchange import Exchange
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.threads
NOTES = """
directory=$(dirname "$0")
eval operation=\\${$#}
if ! mkdir "$directory/running"; then echo overlap >>"$directory/log"; fi
{ echo "$operation"; cat; } >>"$directory/log"
"""
GIVES = f"""
if [ "$operation" = get ]; then
  printf 'username={sentinels.USER}\\npassword={sentinels.PASSWORD}\\npassword_expiry_utc=99999999999\\n'
  printf 'oauth_refresh_token={sentinels.MARK}.refresh\\nwwwauth[]=x\\nother=x\\n'
fi
"""
ENDS = 'rmdir "$directory/running"\n'


def stored(scene: SourceScene, origin: ScriptedOrigin, secret: str) -> tuple[Path, Json]:
    """git's own helper with a file of two users, and the source that asks it."""
    host = origin.url.removeprefix("http://")
    file = Path(scene.file(f"http://{sentinels.USER}:{secret}@{host}\nhttp://u:p@other.test\n"))
    command = ["/usr/bin/git", "credential-store", "--file", str(file)]
    return file, {"kind": "gitHelper", "command": command, "report": True}


def named(peer: Peer, origin: ScriptedOrigin, method: str = "basic", **configuration: Json) -> str:
    session = peer.open(configuration=configuration)
    put(peer, session, space(origin, method=method), {"source": "pages"})
    return session


def test_gits_own_store_forgets_what_a_server_refuses(scene: SourceScene, origin: ScriptedOrigin) -> None:
    guarded = Guarded(origin, sentinels.PASSWORD, "basic")
    file, source = stored(scene, origin, sentinels.PASSWORD)
    peer = scene.peer(pages=source)
    session = named(peer, origin)
    assert peer.fetch(session, guarded.url)["status"] == 200
    guarded.accepted = (sentinels.OTHER_PASSWORD,)
    # It is asked again after it was told, and has nothing then.
    assert kind_of(peer.fetch, session, guarded.url) == "credentialSourceFailed"
    assert file.read_text() == "http://u:p@other.test\n"
    assert guarded.refused == 1
    file.write_text(
        file.read_text() + guarded.url.replace("//", f"//{sentinels.USER}:{sentinels.OTHER_PASSWORD}@")
    )
    assert peer.fetch(session, guarded.url)["status"] == 200


def log(scene: SourceScene) -> list[str]:
    """What the helper was asked and told: each question with its operation."""
    file = scene.directory / "log"
    return file.read_text().split("\n\n")[:-1] if file.exists() else []


def operations(scene: SourceScene) -> list[str]:
    return [entry.partition("\n")[0] for entry in log(scene)]


def noting(scene: SourceScene, more: str = "", **members: Json) -> Json:
    command = scene.helper(NOTES + GIVES + more + ENDS)
    return {"kind": "gitHelper", "command": command, "report": True, **members}


def test_a_helper_is_told_as_git_tells_it(scene: SourceScene, origin: ScriptedOrigin) -> None:
    guarded = Guarded(origin, sentinels.PASSWORD, "basic")
    peer = scene.peer(pages=noting(scene))
    session = named(peer, origin)
    for _ in range(3):
        assert peer.fetch(session, guarded.url)["status"] == 200
    eventually(lambda: operations(scene) == ["get", "store"])
    guarded.accepted = ()
    for _ in range(3):
        assert peer.fetch(session, guarded.url)["status"] == 401
    # It is told before it is asked again.
    eventually(lambda: operations(scene) == ["get", "store", "erase", "get"])
    said = (
        f"\nprotocol=http\nhost={origin.url.removeprefix('http://')}\n"
        f"oauth_refresh_token={sentinels.MARK}.refresh\npassword={sentinels.PASSWORD}\n"
        f"password_expiry_utc=99999999999\nusername={sentinels.USER}"
    )
    assert log(scene)[1:3] == ["store" + said, "erase" + said]


def test_a_token_is_told_with_its_type(scene: SourceScene, origin: ScriptedOrigin) -> None:
    guarded = Guarded(origin, sentinels.TOKEN)
    gives = f"printf 'capability[]=authtype\\nauthtype=Bearer\\ncredential={sentinels.TOKEN}\\n'\n"
    command = scene.helper(NOTES + f'[ "$operation" = get ] && {gives}' + ENDS)
    peer = scene.peer(pages={"kind": "gitHelper", "command": command, "report": True})
    assert peer.fetch(named(peer, origin, "bearer"), guarded.url)["status"] == 200
    eventually(lambda: operations(scene) == ["get", "store"])
    assert log(scene)[1].endswith(f"\nauthtype=Bearer\ncapability[]=authtype\ncredential={sentinels.TOKEN}")


def test_a_helper_that_does_not_ask_for_it_is_told_nothing(
    scene: SourceScene, origin: ScriptedOrigin
) -> None:
    guarded = Guarded(origin, sentinels.PASSWORD, "basic")
    peer = scene.peer(pages=noting(scene, report=False))
    session = named(peer, origin)
    assert peer.fetch(session, guarded.url)["status"] == 200
    guarded.accepted = ()
    assert peer.fetch(session, guarded.url)["status"] == 401
    # A reading waits for what is told.
    put(peer, session, space(origin), {"source": "pages"})
    assert operations(scene) == ["get", "get", "get"]


def test_nothing_is_told_before_the_server_has_answered(scene: SourceScene, origin: ScriptedOrigin) -> None:
    gate = origin.gate()

    async def held(exchange: Exchange) -> None:
        if exchange.request.authorization:
            await gate.opened()
            return await exchange.respond(200, [], b"page")
        await exchange.respond(401, [("WWW-Authenticate", 'Basic realm="staff"')], b"")

    peer = scene.peer(pages=noting(scene))
    session = named(peer, origin)
    fetch = peer.start_fetch(session, origin.serve("/held", held))
    origin.wait_for_requests(2, "/held")
    # Another reading: what is told would be told before it.
    put(peer, peer.open(), space(origin), {"source": "pages"})
    assert operations(scene) == ["get", "get"]
    gate.open()
    assert peer.result(fetch)["status"] == 200
    eventually(lambda: operations(scene) == ["get", "get", "store"])


@pytest.mark.parametrize("is_right", [False, True])
def test_what_a_reply_names_is_told_too(scene: SourceScene, origin: ScriptedOrigin, is_right: bool) -> None:
    guarded = Guarded(origin, sentinels.PASSWORD if is_right else sentinels.OTHER_PASSWORD, "basic")
    peer = scene.peer(pages=noting(scene))
    session = peer.open(tasks=["basic"])
    fetch = peer.start_fetch(session, guarded.url)
    peer.answer(peer.challenge(), {"source": "pages", "persistence": "none"})
    if not is_right:
        peer.answer(peer.challenge(), None)
    assert peer.result(fetch)["status"] == (200 if is_right else 401)
    eventually(lambda: operations(scene)[:2] == ["get", "store" if is_right else "erase"])


def test_what_a_proxy_refuses_is_told(scene: SourceScene, origin: ScriptedOrigin) -> None:
    proxy = ScriptedProxy([REFUSAL])
    peer = scene.peer(pages=noting(scene))
    at: Json = {
        "protocol": "http",
        "proxyType": "http",
        "host": "127.0.0.1",
        "port": proxy.port,
        "realm": "p",
    }
    session = open_through(peer, proxy.url)
    put(peer, session, {**at, "authenticationMethod": "basic"}, {"source": "pages"})
    assert kind_of(peer.fetch, session, origin.url) == "proxyAuthenticationFailed"
    eventually(lambda: operations(scene)[:2] == ["get", "erase"])
    assert f"\nhost=127.0.0.1:{proxy.port}\n" in log(scene)[1]
    proxy.stop()


def test_a_helper_does_one_thing_after_the_other(scene: SourceScene, origin: ScriptedOrigin) -> None:
    guarded = Guarded(origin, sentinels.PASSWORD, "basic")
    peer = scene.peer(pages=noting(scene))
    sessions = [named(peer, origin) for _ in range(8)]
    fetches = [peer.start_fetch(session, guarded.url) for session in sessions for _ in range(4)]
    assert {peer.result(fetch)["status"] for fetch in fetches} == {200}
    guarded.accepted = ()
    fetches = [peer.start_fetch(session, guarded.url) for session in sessions for _ in range(4)]
    assert {peer.result(fetch)["status"] for fetch in fetches} == {401}
    eventually(lambda: "erase" in operations(scene))
    assert "overlap" not in (scene.directory / "log").read_text()


def test_a_helper_that_hangs_when_it_is_told_holds_nobody(scene: SourceScene, origin: ScriptedOrigin) -> None:
    guarded = Guarded(origin, sentinels.PASSWORD, "basic")
    os.mkfifo(scene.directory / "never")
    hangs = '[ "$operation" = store ] && read line <"$directory/never"\n'
    peer = scene.peer(pages=noting(scene, hangs))
    session = named(peer, origin)
    for _ in range(5):
        assert peer.fetch(session, guarded.url)["status"] == 200
    eventually(lambda: operations(scene) == ["get", "store"])
    # Opened for writing, it goes on.
    (scene.directory / "never").open("w").close()
    put(peer, session, space(origin), {"source": "pages"})
    assert operations(scene)[:3] == ["get", "store", "get"]
