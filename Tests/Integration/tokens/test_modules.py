"""PKCS#11 modules: configured, reloaded, failing and lying."""

from __future__ import annotations

import json
import resource
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.tokens.scene import add, comes, helpers, opened, refusal, shown
from Integration.wire import Json, Peer, RemoteError, kind_of
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.mutual_tls import MutualTLS
from Support.soft_token import MODULE, PIN, faulty_module

pytestmark = [pytest.mark.core, pytest.mark.threads]


def test_without_modules_there_are_no_tokens(served: Callable[..., tuple[Daemon, Peer]]) -> None:
    daemon, peer = served()
    assert peer.call("identity/tokens", {}) == {"identities": []}
    assert refusal(peer, {"pkcs11": "pkcs11:token=badge;id=%01"}) == "tokenUnavailable"
    assert helpers(daemon) == set()


def test_modules_come_with_the_configuration_that_is_read_again(
    served: Callable[..., tuple[Daemon, Peer]], tmp_path: Path, keys: dict[str, str]
) -> None:
    _, peer = served()
    modules = ["/nowhere.so", str(MODULE), str(MODULE)]
    (tmp_path / "modules.json").write_text(json.dumps({"pkcs11Modules": modules}))
    peer.call("server/reload", {})
    add(peer, peer.open(), keys["ec"])
    # One that is not absolute would be searched for: nothing changes.
    (tmp_path / "modules.json").write_text(json.dumps({"pkcs11Modules": ["libsofthsm2.so"]}))
    assert kind_of(peer.call, "server/reload", {}) == "configurationInvalid"
    add(peer, peer.open(), keys["ec"])


def fault_of(peer: Peer, fetch: int) -> tuple[str, Json]:
    with pytest.raises(RemoteError) as caught:
        peer.result(fetch)
    return caught.value.kind, caught.value.data.get("reason")


@pytest.mark.parametrize("fault", ["hang-sign", "crash-sign", "fail-sign"])
def test_a_token_that_does_not_sign_fails_its_own_fetches_only(
    faulty: tuple[Daemon, Peer, Path],
    authority: Authority,
    server: MutualTLS,
    keys: dict[str, str],
    fault: str,
) -> None:
    daemon, peer, file = faulty
    session, other = opened(peer, authority, name="broken"), opened(peer, authority, name="sound")
    add(peer, session, keys["ec"])
    add(peer, other, keys["rsa"])
    file.write_text(fault)
    assert fault_of(peer, peer.start_fetch(session, server.url())) == ("tlsFailed", "tokenFailed")
    assert comes(lambda: len(helpers(daemon)) == 1)
    file.write_text("")
    # It is not asked again until a caller names it again.
    assert fault_of(peer, peer.start_fetch(session, server.url())) == ("tlsFailed", "tokenFailed")
    assert shown(peer.fetch(other, server.url())).subject == "CN=rita"
    add(peer, session, keys["ec"])
    assert shown(peer.fetch(session, server.url())).subject == "CN=alice"


def test_a_key_is_refused_when_descriptors_have_run_out(
    faulty: tuple[Daemon, Peer, Path], keys: dict[str, str]
) -> None:
    daemon, peer, file = faulty
    file.write_text("wait-login")
    session = peer.open()
    identity = {"pkcs11": keys["ec"], "passphrase": PIN}
    adding = peer.request("identity/add", {"session": session, "identity": identity})
    assert peer.call("ping", {}) == {}
    before = resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE)
    used = daemon.descriptors()
    free = next(number for number in range(len(used) + 1) if str(number) not in used)
    resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE, (free, before[1]))
    file.write_text("")
    with pytest.raises(RemoteError) as caught:
        peer.result(adding)
    assert caught.value.data["reason"] == "tokenUnavailable"
    resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE, before)
    add(peer, session, keys["ec"])


def test_a_false_signature_is_no_proof(faulty: tuple[Daemon, Peer, Path], keys: dict[str, str]) -> None:
    daemon, peer, file = faulty
    file.write_text("wrong-sign")
    assert refusal(peer, {"pkcs11": keys["rsa"], "passphrase": PIN}) == "keyMismatch"
    assert comes(lambda: helpers(daemon) == set())


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("crash-load", "tokenUnavailable"),
        ("crash-sign", "tokenUnavailable"),
        ("lock-login", "tokenLocked"),
        ("crowd", "tokenUnavailable"),
        ("hide-value", "certificateMissing"),
    ],
)
def test_a_module_that_fails_is_a_refusal(
    faulty: tuple[Daemon, Peer, Path], keys: dict[str, str], fault: str, reason: str
) -> None:
    daemon, peer, file = faulty
    file.write_text(fault)
    assert refusal(peer, {"pkcs11": keys["ec"], "passphrase": PIN}) == reason
    assert comes(lambda: helpers(daemon) == set())
    file.write_text("")
    add(peer, peer.open(), keys["ec"])


def test_tokens_that_cannot_be_listed_are_said_to_fail(
    faulty: tuple[Daemon, Peer, Path],
) -> None:
    _, peer, file = faulty
    file.write_text("crash-load")
    with pytest.raises(RemoteError) as caught:
        peer.call("identity/tokens", {})
    assert (caught.value.kind, caught.value.data["reason"]) == ("credentialUnusable", "tokenUnavailable")


def test_a_module_that_lies_leaves_the_others_alone(
    served: Callable[..., tuple[Daemon, Peer]], tmp_path: Path, keys: dict[str, str]
) -> None:
    _, peer = served(faulty_module(), MODULE)
    (tmp_path / "fault").write_text("lie")
    add(peer, peer.open(), keys["ec"])


def test_a_module_may_handle_signals(
    faulty: tuple[Daemon, Peer, Path], authority: Authority, server: MutualTLS, keys: dict[str, str]
) -> None:
    _, peer, file = faulty
    file.write_text("interrupt-login")
    session = opened(peer, authority)
    add(peer, session, keys["ec"])
    assert shown(peer.fetch(session, server.url())).subject == "CN=alice"
