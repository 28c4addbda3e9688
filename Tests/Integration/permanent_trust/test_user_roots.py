"""The certificate authorities of a user (storage.md 6.6, challenges.md 10.14)."""

from __future__ import annotations

import json
import os
import ssl
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.permanent_trust.scene import as_root, fine, restart, state
from Integration.restrictions import reason, restrict, rule
from Integration.wire import PATIENCE, Json, Peer, RemoteError, kind_of
from Support.certificates import Authority
from Support.daemon import Daemon
from Support.nginx import Nginx
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import held, redirect

pytestmark = pytest.mark.core

Connect = Callable[..., Peer]
Origins = Callable[..., ScriptedOrigin]
Governed = Callable[..., tuple[Daemon, Peer]]
LOOSENING = "transportSecurity.defaults.allowsLooseningTrust"


def add(peer: Peer, pem: str) -> Json:
    return peer.call("trust/addRoots", {"certificates": pem})


def names(peer: Peer) -> list[str]:
    return [root["subject"] for root in peer.call("trust/listRoots")["roots"]]


def file_of(daemon: Daemon, uid: int | None = None) -> Path:
    return state(daemon) / f"roots-{os.geteuid() if uid is None else uid}.pem"


def fails(peer: Peer, method: str, params: Json = None) -> RemoteError:
    with pytest.raises(RemoteError) as caught:
        peer.call(method, params or {})
    return caught.value


def is_trusted(peer: Peer, url: str, session: str | None = None) -> bool:
    """Whether the fetch is served; if not, because of the certificate."""
    session = session or peer.open()
    fetch = peer.start_fetch(session, url)
    try:
        return bool(peer.result(fetch)["status"] == 200)
    except RemoteError as error:
        assert error.kind == "serverTrustRejected"
        assert [reason["reason"] for reason in error.data["reasons"]] == ["unknownIssuer"]
        return False


def test_a_root_counts_in_every_session_and_after_a_restart(
    daemon: Daemon, connect: Connect, nginx: Nginx, authority: Authority
) -> None:
    peer = connect()
    url = nginx.tls + "/small"
    existing, ephemeral = peer.open(), peer.open(configuration={"credentialStorage": "private"})
    assert not is_trusted(peer, url, existing)
    added = add(peer, authority.pem)
    assert added["added"] == 1 and added["roots"] == peer.call("trust/listRoots")["roots"]
    assert names(peer) == ["CN=Watchword test root"]
    assert is_trusted(peer, url, existing) and is_trusted(peer, url, ephemeral) and is_trusted(peer, url)
    # Beside the session's own, and not in a session that has only its own.
    other = Authority(Path(daemon.directory) / "other", name="Other root")
    for exclusive in (False, True):
        roots = {"certificates": other.pem, "exclusive": exclusive}
        session = peer.open(configuration={"tls": {"roots": roots}})
        assert is_trusted(peer, url, session) is not exclusive
    assert file_of(daemon).stat().st_mode & 0o777 == 0o600
    assert not (state(daemon) / f"vault-{os.geteuid()}").exists()
    restart(daemon)
    assert is_trusted(connect(), url)


def test_one_that_is_there_already_is_no_error(daemon: Daemon, peer: Peer, authority: Authority) -> None:
    assert add(peer, authority.pem)["added"] == 1
    before = file_of(daemon).stat().st_ino
    assert add(peer, authority.pem * 2)["added"] == 0
    assert (file_of(daemon).stat().st_ino, len(names(peer))) == (before, 1)


def test_a_removal_ends_the_connections(
    daemon: Daemon, connect: Connect, nginx: Nginx, authority: Authority
) -> None:
    peer, other = connect(), connect()
    url = nginx.http2 + "/small"
    root = add(peer, authority.pem)["roots"][0]
    session = peer.open("shared")
    other.open("shared")
    assert is_trusted(peer, url, session) and is_trusted(other, url, "shared")
    # It is another connection that a change makes: nothing is told from before.
    opened = nginx.exchanges()[-1].connection
    assert is_trusted(peer, url, session) and nginx.exchanges()[-1].connection == opened
    assert peer.call("trust/removeRoots", {"root": "00" * 32}) == {"removed": 0}
    assert is_trusted(peer, url, session) and nginx.exchanges()[-1].connection == opened
    assert peer.call("trust/removeRoots", {"root": root["sha256"]}) == {"removed": 1}
    served = len(nginx.exchanges())
    assert not is_trusted(peer, url, session) and not is_trusted(other, url, "shared")
    assert len(nginx.exchanges()) == served
    assert names(peer) == [] and not file_of(daemon).exists()


def test_an_exchange_that_runs_goes_on(
    peer: Peer, origins: Origins, tls_context: ssl.SSLContext, authority: Authority
) -> None:
    origin = origins(tls_context)
    gate = origin.gate()
    add(peer, authority.pem)
    session = peer.open()
    fetch = peer.start_fetch(session, origin.serve("/slow", held(gate, fine)))
    origin.wait_for_requests(1)
    assert peer.call("trust/removeRoots") == {"removed": 1}
    gate.open()
    assert peer.result(fetch)["body"]["text"] == "fine"
    assert not is_trusted(peer, origin.url + "/slow", session)


def test_other_settings_of_a_session_keep_them(
    peer: Peer, nginx: Nginx, authority: Authority, tmp_path: Path
) -> None:
    """Connections that are made under the new settings trust them, too (messages.md 4.17)."""
    url = nginx.tls + "/small"
    add(peer, authority.pem)
    session = peer.open("s")

    def configure(configuration: Json) -> None:
        assert peer.call("session/configure", {"session": session, "configuration": configuration})["changed"]

    assert is_trusted(peer, url, session)
    configure({"connectionsPerHost": 2})
    assert is_trusted(peer, url, session)
    configure({"proxies": "none"})
    assert is_trusted(peer, url, session)
    # Its own roots only, and back.
    other = Authority(tmp_path / "other", name="Other root")
    configure({"tls": {"roots": {"certificates": other.pem, "exclusive": True}}})
    assert not is_trusted(peer, url, session)
    configure({"tls": {"roots": None}})
    assert is_trusted(peer, url, session)


def test_a_removal_counts_for_tasks_of_earlier_settings(
    peer: Peer, origin: ScriptedOrigin, nginx: Nginx, authority: Authority
) -> None:
    gate = origin.gate()
    slow = origin.serve("/slow", held(gate, redirect(nginx.tls + "/small")))
    add(peer, authority.pem)
    session = peer.open("s")
    served = len(nginx.exchanges())
    fetch = peer.start_fetch(session, slow)
    origin.wait_for_requests(1)
    peer.call("session/configure", {"session": session, "configuration": {"connectionsPerHost": 2}})
    assert peer.call("trust/removeRoots") == {"removed": 1}
    gate.open()
    assert kind_of(peer.result, fetch) == "serverTrustRejected"
    assert len(nginx.exchanges()) == served


def test_only_authorities_are_added(daemon: Daemon, peer: Peer, authority: Authority) -> None:
    leaf = authority.issue("leaf").certificate.read_text()
    refused = fails(peer, "trust/addRoots", {"certificates": authority.pem + leaf})
    assert refused.kind == "invalidParams"
    assert "certificate 2 (CN=leaf) is no certificate authority's" in refused.message
    assert "-k" in refused.message
    damaged = authority.pem.replace("M", "!", 1)
    for pem, what in (
        (damaged, "certificate 1 cannot be read"),
        (authority.pem + damaged, "certificate 2 cannot be read"),
        ("nothing", "has no PEM certificate"),
    ):
        refused = fails(peer, "trust/addRoots", {"certificates": pem})
        assert refused.kind == "invalidParams" and what in refused.message
    # Nothing was added, and nothing made.
    assert names(peer) == [] and not state(daemon).exists()


def test_an_intermediate_authority_is_enough(peer: Peer, origins: Origins, authority: Authority) -> None:
    middle = authority.subordinate("Middle")
    identity = middle.issue("below")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(identity.certificate, identity.key)
    origin = origins(context)
    add(peer, middle.pem)
    assert is_trusted(peer, origin.serve("/", fine))


def numbered(authority: Authority, count: int) -> str:
    """Certificates that differ in their serial numbers only: nobody verifies them."""
    der = ssl.PEM_cert_to_DER_cert(authority.pem)
    command = ["openssl", "x509", "-noout", "-serial", "-in", str(authority.certificate)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    old = bytes.fromhex(printed.strip().partition("=")[2])
    return "".join(
        ssl.DER_cert_to_PEM_cert(der.replace(old, bytes([old[0], *number.to_bytes(len(old) - 1, "big")]), 1))
        for number in range(count)
    )


def test_their_number_is_bounded(peer: Peer, authority: Authority) -> None:
    assert add(peer, numbered(authority, 256))["added"] == 256
    refused = fails(peer, "trust/addRoots", {"certificates": authority.pem})
    assert (refused.kind, refused.data["limit"]) == ("limitExceeded", "rootsPerUid")
    assert peer.call("status")["usage"]["rootsPerUid"] == 256
    assert peer.call("trust/removeRoots") == {"removed": 256}
    refused = fails(peer, "trust/addRoots", {"certificates": numbered(authority, 257)})
    assert (refused.kind, refused.data["limit"]) == ("limitExceeded", "rootsPerUid")
    assert add(peer, authority.pem)["added"] == 1


@pytest.mark.parametrize("how", ["cut", "leaf", "writable", "link", "empty"])
def test_a_damaged_file_is_named_and_not_used(
    daemon: Daemon, connect: Connect, nginx: Nginx, authority: Authority, how: str
) -> None:
    add(connect(), authority.pem)
    file = file_of(daemon)
    whole = file.read_bytes()
    if how == "cut":
        file.write_bytes(whole[: len(whole) // 2])
    elif how == "leaf":
        file.write_bytes(authority.issue("leaf").certificate.read_bytes())
    elif how == "writable":
        file.chmod(0o666)
    elif how == "link":
        file.rename(file.with_suffix(".other"))
        file.symlink_to(file.with_suffix(".other"))
    else:
        file.write_bytes(b"")
    before = file.read_bytes()
    restart(daemon)
    peer = connect()
    assert not is_trusted(peer, nginx.tls + "/small")
    assert str(file) in daemon.output()
    assert str(file) in peer.call("status")["roots"]["reason"]
    for method, params in (
        ("trust/listRoots", {}),
        ("trust/addRoots", {"certificates": authority.pem}),
        ("trust/removeRoots", {}),
    ):
        refused = fails(peer, method, params)
        assert refused.kind == "storageUnavailable" and str(file) in refused.message
    assert file.read_bytes() == before
    # A person mends it.
    file.unlink()
    file.write_bytes(whole)
    file.chmod(0o600)
    assert names(peer) == ["CN=Watchword test root"]
    assert is_trusted(peer, nginx.tls + "/small")
    assert peer.call("status")["roots"] == {"path": str(file), "count": 1, "reason": None}


def test_a_file_that_is_damaged_later_counts_no_more(
    daemon: Daemon, connect: Connect, nginx: Nginx, authority: Authority
) -> None:
    peer = connect()
    add(peer, authority.pem)
    session = peer.open()
    assert is_trusted(peer, nginx.tls + "/small", session)
    file_of(daemon).write_bytes(b"nothing")
    assert fails(peer, "trust/removeRoots").kind == "storageUnavailable"
    assert not is_trusted(peer, nginx.tls + "/small", session)


def test_a_disk_that_refuses_changes_nothing(
    daemon: Daemon, connect: Connect, nginx: Nginx, authority: Authority
) -> None:
    peer = connect()
    (state(daemon)).write_text("in the way")
    refused = fails(peer, "trust/addRoots", {"certificates": authority.pem})
    assert refused.kind == "storageUnavailable" and "is not a directory" in refused.message
    assert not is_trusted(peer, nginx.tls + "/small")


def test_two_daemons_on_one_directory(
    daemon: Daemon, connect: Connect, start: Callable[..., tuple[Daemon, Peer]], authority: Authority
) -> None:
    one = connect()
    _, two = start("--state-directory", str(state(daemon)))
    second = Authority(Path(daemon.directory) / "other", name="Other root")
    add(one, authority.pem)
    add(two, second.pem)
    assert names(one) == names(two) == ["CN=Watchword test root", "CN=Other root"]


@pytest.mark.parametrize("host", ["some", "all"])
def test_the_policy_forbids_them(governed: Governed, nginx: Nginx, authority: Authority, host: str) -> None:
    domains = [{"domain": "free.example", "allowsLooseningTrust": True}] if host == "some" else []
    strict = {"defaults": {"allowsLooseningTrust": False}, "domains": domains}
    _, peer = governed(strict)
    if host == "all":
        refused = fails(peer, "trust/addRoots", {"certificates": authority.pem})
        assert (refused.kind, refused.data["rule"]) == ("policyRefused", LOOSENING)
        return
    add(peer, authority.pem)
    assert not is_trusted(peer, nginx.tls + "/small")
    session = peer.open(tasks=["serverTrust"])
    fetch = peer.start_fetch(session, nginx.tls + "/small")
    with pytest.raises(RemoteError) as caught:
        peer.answer(peer.challenge(), {"trust": "certificate", "persistence": "none"})
    assert (caught.value.kind, caught.value.data["rule"]) == ("dispositionNotAllowed", LOOSENING)
    peer.call("session/invalidate", {"session": session})
    assert kind_of(peer.result, fetch) in ("sessionInvalidated", "taskCancelled")


def test_a_policy_that_comes_later_forbids_them(
    governed: Governed, nginx: Nginx, authority: Authority
) -> None:
    daemon, peer = governed({})
    add(peer, authority.pem)
    session = peer.open()
    assert is_trusted(peer, nginx.tls + "/small", session)
    path = Path(daemon.options[daemon.options.index("--configuration") + 1])
    path.write_text(json.dumps({"transportSecurity": {"defaults": {"allowsLooseningTrust": False}}}))
    peer.call("server/reload")
    assert not is_trusted(peer, nginx.tls + "/small", session)
    assert peer.call("trust/removeRoots") == {"removed": 1}


def test_explain_names_the_root(peer: Peer, nginx: Nginx, authority: Authority) -> None:
    root = add(peer, authority.pem)["roots"][0]
    session = peer.open()

    def explained() -> Json:
        return peer.call("explain", {"session": session, "url": nginx.tls + "/small"})["trust"]["root"]

    assert explained() is None
    assert is_trusted(peer, nginx.tls + "/small", session)
    assert explained() == root
    peer.call("trust/removeRoots")
    assert explained() is None


def test_a_locked_agent_lists_and_changes_nothing(peer: Peer, nginx: Nginx, authority: Authority) -> None:
    add(peer, authority.pem)
    peer.call("agent/lock", {"passphrase": "sentinel-lock"})
    assert names(peer) == ["CN=Watchword test root"]
    assert fails(peer, "trust/addRoots", {"certificates": authority.pem}).kind == "agentLocked"
    assert fails(peer, "trust/removeRoots").kind == "agentLocked"


def test_a_restricted_connection_uses_them_and_changes_nothing(
    connect: Connect, nginx: Nginx, authority: Authority
) -> None:
    add(connect(), authority.pem)
    peer = connect()
    restrict(peer, peer.open("s"), rule(nginx.tls))
    assert peer.fetch("s", nginx.tls + "/small")["status"] == 200
    for method in ("trust/addRoots", "trust/listRoots", "trust/removeRoots"):
        params = {"certificates": authority.pem} if method == "trust/addRoots" else {}
        assert reason(peer.call, method, params) == "call"


@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "SSL_CERT_DIR"])
def test_the_daemons_environment_names_the_systems_roots(
    governed: Governed, nginx: Nginx, authority: Authority, tmp_path: Path, variable: str
) -> None:
    folder = tmp_path / "roots"
    folder.mkdir()
    (folder / "ca.pem").write_text(authority.pem)
    subprocess.run(["openssl", "rehash", str(folder)], check=True, capture_output=True)
    named = str(folder) if variable == "SSL_CERT_DIR" else str(folder / "ca.pem")
    # They are the administrator's, whom the policy does not bind.
    _, peer = governed({"defaults": {"allowsLooseningTrust": False}}, **{variable: named})
    assert is_trusted(peer, nginx.tls + "/small")
    assert peer.call("status")["roots"]["count"] == 0


@as_root
def test_another_account_has_its_own(
    peers: list[Peer],
    start: Callable[..., tuple[Daemon, Peer]],
    nginx: Nginx,
    authority: Authority,
    tmp_path: Path,
) -> None:
    rules = tmp_path / "rules.json"
    rules.write_text(json.dumps({"access": "host"}))
    daemon, peer = start("--configuration", str(rules))
    daemon.directory.chmod(0o755)
    add(peer, authority.pem)
    command = [sys.executable, "-c", OTHER_ACCOUNT, str(daemon.socket), nginx.tls + "/small", authority.pem]
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert outcome.stdout.split() == ["0", "serverTrustRejected", "1", "200"], outcome.stderr
    assert file_of(daemon, 65534).exists()
    assert peer.call("trust/removeRoots") == {"removed": 1}
    assert not file_of(daemon, 0).exists() and file_of(daemon, 65534).exists()


OTHER_ACCOUNT = """
import json, os, socket, sys

os.setuid(65534)
connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
lines = connection.makefile("rw")

def call(number, method, **params):
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    print(json.dumps(message), file=lines, flush=True)
    while (message := json.loads(lines.readline())).get("id") != number:
        pass
    return message

print(len(call(1, "trust/listRoots")["result"]["roots"]))
print(call(2, "fetch", url=sys.argv[2])["error"]["data"]["kind"])
print(call(3, "trust/addRoots", certificates=sys.argv[3])["result"]["added"])
print(call(4, "fetch", url=sys.argv[2])["result"]["status"])
"""
