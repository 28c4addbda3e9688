"""The user of NTLM servers, and a proxy that asks for NTLM."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from Integration import sentinels
from Integration.negotiate.ntlm.scene import DOMAIN, open_through
from Integration.negotiate.realm_peer import RealmPeer
from Support.certificates import Authority
from Support.ntlm_judge import NTLMJudge
from Support.ntlm_server import user_file
from Support.relaying_proxy import RelayingProxy


@pytest.fixture
def users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file of users that `pyspnego` reads; a daemon that starts later reads it, too."""
    path = user_file(tmp_path / "users", DOMAIN, sentinels.USER, sentinels.PASSWORD)
    monkeypatch.setenv("NTLM_USER_FILE", str(path))


@pytest.fixture
def judge() -> NTLMJudge:
    return NTLMJudge()


@pytest.fixture
def proxy(judge: NTLMJudge) -> Iterator[RelayingProxy]:
    proxy = RelayingProxy(judge)
    yield proxy
    proxy.stop()


@pytest.fixture
def through(peer: RealmPeer, proxy: RelayingProxy, authority: Authority) -> Callable[..., str]:
    return partial(open_through, proxy, peer, authority)
