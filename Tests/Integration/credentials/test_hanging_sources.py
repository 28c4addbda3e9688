"""A source whose file or program hangs delays no other source."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from Integration import sentinels
from Integration.credentials.oauth_scene import client, public
from Integration.credentials.scene import SourceScene, space
from Integration.wire import Json
from Support.oauth_server import OAuthServer
from Support.scripted_origin import ScriptedOrigin
from Support.shared_library import built

#: More than one source may have at a time.
READINGS = 8


@pytest.fixture
def environment() -> dict[str, str]:
    """Makes FIFOs called `hung…` block a program that opens them."""
    return {"LD_PRELOAD": str(built("hanging_files", ["-ldl"]))}


@pytest.fixture
def hung(tmp_path: Path) -> Path:
    path = tmp_path / "hung"
    os.mkfifo(path, 0o600)
    return path


def naming(origin: ScriptedOrigin, session: str, source: str, realm: str) -> Json:
    where = space(origin, realm, "bearer")
    return {"session": session, "protectionSpace": where, "credential": {"source": source}}


@pytest.mark.parametrize("kind", ["file", "gitHelper", "secret", "refreshToken"])
def test_another_source_is_read_while_one_hangs(
    scene: SourceScene, oauth: OAuthServer, origin: ScriptedOrigin, hung: Path, kind: str
) -> None:
    slow: dict[str, Json] = {
        "file": {"kind": "file", "path": str(hung)},
        "gitHelper": {"kind": "gitHelper", "command": scene.helper(f"cat {hung}\n")},
        "secret": client(scene, oauth, clientSecretFile=str(hung)),
        "refreshToken": public(scene, oauth, refreshTokenFile=str(hung)),
    }
    peer = scene.peer(
        slow=slow[kind],
        file={"kind": "file", "path": scene.file(sentinels.TOKEN)},
        builds=client(scene, oauth),
    )
    session = peer.open()
    for number in range(READINGS):
        peer.request("credential/set", naming(origin, session, "slow", f"realm {number}"))
    for source in ("file", "builds"):
        assert peer.call("credential/set", naming(origin, session, source, source)) == {}
    # Nor does it delay the end of the daemon.
    assert not peer.replies
