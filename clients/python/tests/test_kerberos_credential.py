"""What a Kerberos credential says on the wire."""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import Any

import pytest

import watchword
from fake_daemon import FakeDaemon
from scripts import answering
from Support.fake_daemon import Peer
from watchword import Challenge, Client


def test_names_go_as_they_are() -> None:
    wire = watchword.KerberosCredential(cache="default").to_wire()
    assert wire == {"kerberos": {"cache": "default"}, "persistence": "forSession"}
    wire = watchword.KerberosCredential(keytab="nightly", persistence="none").to_wire()
    assert wire == {"kerberos": {"keytab": "nightly"}, "persistence": "none"}


def test_contents_go_in_base64_and_are_not_shown() -> None:
    credential = watchword.KerberosCredential(keytab=b"sentinel", principal="robot")
    text = base64.b64encode(b"sentinel").decode()
    assert credential.to_wire()["kerberos"] == {"keytab": {"base64": text}, "principal": "robot"}
    assert "sentinel" not in repr(credential)
    assert text not in str(credential)


@pytest.mark.parametrize(
    "members",
    [{}, {"cache": "default", "keytab": "nightly"}, {"keytab": b"bytes"}, {"keytab": "name", "principal": "p"}],
)
def test_other_combinations_are_refused(members: dict[str, str | bytes]) -> None:
    with pytest.raises(watchword.InvalidArgument):
        watchword.KerberosCredential(**members)  # type: ignore[arg-type]


SPACE = watchword.ProtectionSpace("http", "a.test", 80, None, "negotiate", any_realm=True)


def test_a_file_goes_by_descriptor(tmp_path: Path) -> None:
    path = tmp_path / "robot.keytab"
    path.write_bytes(b"keys")
    received: list[Any] = []

    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("credential/set")
        received.append((request["params"]["credential"]["kerberos"], os.pread(peer.descriptors.pop(), 8, 0)))
        peer.reply(request, {})

    with FakeDaemon(script) as socket, Client(socket) as client:
        credential = watchword.KerberosCredential(keytab=path, principal="robot")
        client.session("s").set_credential(SPACE, credential)
    assert received == [({"keytab": {"descriptor": 0}, "principal": "robot"}, b"keys")]


def test_a_file_that_is_missing_cancels_the_challenge(tmp_path: Path) -> None:
    def answer(challenge: Challenge) -> watchword.Answer:
        credential = watchword.KerberosCredential(cache=tmp_path / "missing")
        return watchword.Answer(watchword.Disposition.USE_CREDENTIAL, credential)

    with FakeDaemon(answering()) as socket, Client(socket) as client:
        with client.session(on_challenge=answer) as session, pytest.raises(FileNotFoundError):
            session.fetch("http://a.test/")
