"""Variables of the daemon's environment with which libraries weaken NTLM, or write keys to a file."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.negotiate.ntlm.test_messages import exchanged
from Integration.negotiate.realm_peer import RealmPeer
from Support.certificates import Authority
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reply

#: Bytes of a response of version 1.
VERSION_1 = 24


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    return tmp_path / "keys"


@pytest.fixture
def environment(environment: dict[str, str], keys: Path) -> dict[str, str]:
    return {**environment, "LM_COMPAT_LEVEL": "0", "SSLKEYLOGFILE": str(keys)}


def test_no_variable_makes_the_response_that_of_version_1(peer: RealmPeer, origin: ScriptedOrigin) -> None:
    _, message = exchanged(peer, origin)
    assert len(message.nt_response) > VERSION_1
    assert message.lm_response in (b"", bytes(24))
    assert any(message.mic)


def test_no_variable_has_the_keys_of_connections_written_to_a_file(
    peer: RealmPeer,
    origins: Callable[..., ScriptedOrigin],
    tls_context: ssl.SSLContext,
    authority: Authority,
    keys: Path,
) -> None:
    secure = origins(tls_context)
    session = peer.open(configuration={"tls": {"roots": {"certificates": authority.pem}}})
    assert peer.fetch(session, secure.serve("/", reply()))["status"] == 200
    assert not keys.exists()
