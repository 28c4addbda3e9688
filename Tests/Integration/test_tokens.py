"""Client certificates whose keys stay in PKCS#11 tokens (`identity/tokens`, the member `pkcs11`)."""

from __future__ import annotations

import hashlib
import json
import os
import resource
import signal
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.daemon.scene import NEIGHBOUR
from Integration.wire import PATIENCE, Json, Peer, RemoteError, body_of, kind_of
from Support.certificates import Authority
from Support.client_identities import ClientAuthority, ClientIdentity
from Support.daemon import Daemon
from Support.mutual_tls import MutualTLS, Shown
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import held, reply
from Support.soft_token import MODULE, PIN, SoftToken, faulty_module

pytestmark = pytest.mark.core

WRONG_PIN = f"{PIN}-not"
KINDS = [(version, http) for version in ("TLSv1.2", "TLSv1.3") for http in ("1.1", "2")]


@pytest.fixture(scope="module")
def staff(run_directory: Path) -> ClientAuthority:
    return ClientAuthority(run_directory / "badges", "Badges")


@pytest.fixture(scope="module")
def server(run_directory: Path, authority: Authority, staff: ClientAuthority) -> Iterator[MutualTLS]:
    made = MutualTLS(run_directory / "badges-nginx", authority, [staff])
    yield made
    made.stop()


@pytest.fixture(scope="module")
def badge(run_directory: Path) -> SoftToken:
    return SoftToken(run_directory / "badge", "badge")


@pytest.fixture(scope="module")
def alice(staff: ClientAuthority) -> ClientIdentity:
    return staff.issue("alice")


@pytest.fixture(scope="module")
def keys(staff: ClientAuthority, badge: SoftToken, alice: ClientIdentity) -> dict[str, str]:
    """URIs of keys in the token, by kind; the issuer's certificate is there, too."""
    rita = staff.issue("rita", ("rsa:2048",))
    return {
        "ec": badge.take(alice, 1),
        "rsa": badge.take(rita, 2, (rita.certificate, staff.certificate)),
        "bare": badge.take(staff.issue("bare"), 3, ()),
    }


@pytest.fixture
def served(
    peers: list[Peer], tmp_path: Path, badge: SoftToken, keys: dict[str, str]
) -> Iterator[Callable[..., tuple[Daemon, Peer]]]:
    """Starts daemons with modules of the administrator's; the faulty one does what `fault` holds."""
    daemons: list[Daemon] = []
    (tmp_path / "fault").write_text("")

    def start(*modules: Path, access: str = "user", directory: Path | None = None) -> tuple[Daemon, Peer]:
        path = tmp_path / "modules.json"
        path.write_text(json.dumps({"access": access, "pkcs11Modules": [str(module) for module in modules]}))
        environment = {**badge.environment, "FAULTY_MODULE": str(tmp_path / "fault")}
        daemons.append(Daemon(["--configuration", str(path)], environment, directory))
        peers.append(Peer(daemons[-1].socket))
        return daemons[-1], peers[-1]

    yield start
    for daemon in daemons:
        daemon.stop()


@pytest.fixture
def peer(served: Callable[..., tuple[Daemon, Peer]]) -> Peer:
    return served(MODULE)[1]


@pytest.fixture
def faulty(served: Callable[..., tuple[Daemon, Peer]], tmp_path: Path) -> tuple[Daemon, Peer, Path]:
    """A daemon with the faulty module, and the file that says what is wrong with it."""
    return *served(faulty_module()), tmp_path / "fault"


def add(peer: Peer, session: str, uri: str, **members: Json) -> str:
    identity = {"pkcs11": uri, "passphrase": PIN, **members}
    return str(peer.call("identity/add", {"session": session, "identity": identity})["identity"])


def refusal(peer: Peer, identity: Json, session: str | None = None) -> str:
    """The reason for which `identity/add` is refused."""
    with pytest.raises(RemoteError) as caught:
        peer.call("identity/add", {"session": session or peer.open(), "identity": identity})
    assert caught.value.kind == "credentialUnusable"
    return str(caught.value.data["reason"])


def opened(peer: Peer, authority: Authority, **members: Json) -> str:
    return peer.open(configuration={"tls": {"roots": {"certificates": authority.pem}}}, **members)


def shown(result: Json) -> Shown:
    assert result["status"] == 200, result
    return Shown.read(body_of(result))


def helpers(daemon: Daemon) -> set[int]:
    """The processes that hold keys for this daemon."""
    found = set()
    for entry in Path("/proc").iterdir():
        try:
            # The name in parentheses may hold anything but is cut at 15 characters.
            name, _, rest = (entry / "stat").read_text().partition("(")[2].rpartition(")")
        except (OSError, ValueError):
            continue
        if name == "watchword-pkcs1" and int(rest.split()[1]) == daemon.pid:
            found.add(int(entry.name))
    return found


def comes(true: Callable[[], bool], seconds: float = 20) -> bool:
    """Whether it is so by then."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def test_tokens_are_listed_before_anybody_logs_in(
    peer: Peer, keys: dict[str, str], alice: ClientIdentity
) -> None:
    listed = peer.call("identity/tokens", {})["identities"]
    assert {entry["subject"] for entry in listed} == {"CN=alice", "CN=rita", "CN=Badges,O=Watchword"}
    (own,) = [entry for entry in listed if entry["subject"] == "CN=alice"]
    assert "token=badge" in own["pkcs11"] and own["pkcs11"].endswith("id=%01")
    assert (own["issuer"], own["keyType"], own["keyBits"]) == ("CN=Badges,O=Watchword", "ec", 256)
    # What it is named there is what it is added by.
    assert add(peer, peer.open(), own["pkcs11"]) == f"i-{own['sha256'][:32]}"


@pytest.mark.parametrize("kind", ["ec", "rsa"])
@pytest.mark.parametrize(("version", "http"), KINDS)
def test_a_token_signs_the_handshake(
    peer: Peer,
    authority: Authority,
    server: MutualTLS,
    keys: dict[str, str],
    kind: str,
    version: str,
    http: str,
) -> None:
    session = opened(peer, authority)
    add(peer, session, keys[kind])
    seen = shown(peer.fetch(session, server.url(version, http)))
    assert (seen.subject, seen.protocol) == ("CN=alice" if kind == "ec" else "CN=rita", version)
    (listed,) = peer.call("identity/list", {"session": session})["identities"]
    assert (listed["uses"], listed["keyType"], listed["chainLength"]) == (1, kind, 2)
    assert listed["pkcs11"] == keys[kind]


def test_a_challenge_is_answered_with_a_key_that_asks_for_its_pin(
    peer: Peer, authority: Authority, server: MutualTLS, keys: dict[str, str]
) -> None:
    session = opened(peer, authority, tasks=["clientCertificate"])
    fetch = peer.start_fetch(session, server.url())
    challenge = peer.challenge()
    for identity, reason in (
        ({"pkcs11": keys["ec"]}, "passphraseNeeded"),
        ({"pkcs11": keys["ec"], "passphrase": WRONG_PIN}, "wrongPassphrase"),
    ):
        with pytest.raises(RemoteError) as caught:
            peer.answer(challenge, {"identity": identity})
        assert (caught.value.kind, caught.value.data["reason"]) == ("credentialUnusable", reason)
    identity = {"pkcs11": keys["ec"], "passphrase": PIN}
    peer.answer(challenge, {"identity": identity, "persistence": "none"})
    assert shown(peer.result(fetch)).subject == "CN=alice"
    assert peer.call("identity/list", {"session": session})["identities"] == []


def test_a_token_that_one_session_has_opened_is_closed_to_the_others(
    peer: Peer, keys: dict[str, str]
) -> None:
    first, second = peer.open("first"), peer.open("second")
    add(peer, first, keys["ec"])
    assert refusal(peer, {"pkcs11": keys["ec"]}, second) == "passphraseNeeded"
    assert refusal(peer, {"pkcs11": keys["ec"], "passphrase": WRONG_PIN}, first) == "wrongPassphrase"
    assert len(peer.call("identity/list", {"session": first})["identities"]) == 1


@pytest.mark.parametrize(
    ("uri", "reason"),
    [
        ("pkcs11:token=nobody;id=%01", "tokenUnavailable"),
        ("pkcs11:token=badge", "tokenAmbiguous"),
        ("pkcs11:token=badge;id=%77", "keyUnreadable"),
        ("pkcs11:token=badge;id=%03", "certificateMissing"),
        ("pkcs11:token=badge;object=alice", None),
        ("pkcs11:token=badge;id=%01;type=cert", None),
        ("pkcs11:slot-id=4095;id=%01", "tokenUnavailable"),
        ("pkcs11:slot-id=999999999999999999999;id=%01", "tokenUnavailable"),
    ],
)
def test_a_uri_names_one_key_of_one_token(
    peer: Peer, keys: dict[str, str], uri: str, reason: str | None
) -> None:
    if reason:
        assert refusal(peer, {"pkcs11": uri, "passphrase": PIN}) == reason
    else:
        add(peer, peer.open(), uri)


@pytest.mark.parametrize(
    "uri",
    [
        "pkcs11:token=badge;id=%01?module-path=/tmp/evil.so",
        "pkcs11:token=badge;id=%01?pin-source=/etc/passwd",
        "pkcs11:token=badge;module-name=evil",
        "pkcs11:token=bad ge",
        "pkcs11:token=%4",
        "pkcs11:",
        "/usr/lib/evil.so",
    ],
)
def test_a_uri_chooses_no_module_and_no_source_of_a_pin(peer: Peer, uri: str) -> None:
    with pytest.raises(RemoteError) as caught:
        peer.call("identity/add", {"session": peer.open(), "identity": {"pkcs11": uri}})
    assert (caught.value.kind, caught.value.data["path"]) == ("invalidParams", "params.identity.pkcs11")


def test_certificates_come_along_when_the_token_has_none(
    peer: Peer, authority: Authority, server: MutualTLS, staff: ClientAuthority, keys: dict[str, str]
) -> None:
    session = opened(peer, authority)
    certificate = (staff.directory / "bare.pem").read_text()
    add(peer, session, keys["bare"], certificates=certificate)
    assert shown(peer.fetch(session, server.url())).subject == "CN=bare"
    identity = {"pkcs11": keys["ec"], "passphrase": PIN, "certificates": certificate}
    assert refusal(peer, identity) == "keyMismatch"
    assert refusal(peer, {**identity, "certificates": "no PEM"}) == "certificatesUnreadable"


@pytest.mark.parametrize("number", [6, 7])
def test_of_the_certificates_of_one_key_the_one_that_is_good_for_longest_counts(
    peer: Peer, staff: ClientAuthority, badge: SoftToken, number: int
) -> None:
    """The one from before stays in a token when a certificate is renewed."""
    renata = staff.issue(f"renata-{number}")
    uri = badge.take(renata, number, ())
    renewed = {days: staff.renew(renata, days) for days in (-1, 3, 30, 5)}
    # Tokens find them in any order.
    for days in sorted(renewed, reverse=number == 6):
        badge.certify(renewed[days], f"{number:02x}")
    session = peer.open()
    add(peer, session, uri)
    (listed,) = peer.call("identity/list", {"session": session})["identities"]
    certificate = ssl.PEM_cert_to_DER_cert(renewed[30].read_text())
    assert listed["sha256"] == hashlib.sha256(certificate).hexdigest()


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


def test_a_process_ends_with_its_identity_and_with_the_daemon(
    served: Callable[..., tuple[Daemon, Peer]], keys: dict[str, str]
) -> None:
    daemon, peer = served(MODULE)
    session = peer.open()
    first, second = add(peer, session, keys["ec"]), add(peer, session, keys["rsa"])
    assert len(helpers(daemon)) == 2
    peer.call("identity/remove", {"session": session, "identity": first})
    assert comes(lambda: len(helpers(daemon)) == 1)
    peer.call("identity/remove", {"session": session, "identity": second})
    assert comes(lambda: helpers(daemon) == set())
    add(peer, session, keys["ec"])
    (orphan,) = helpers(daemon)
    os.kill(daemon.pid, signal.SIGKILL)
    daemon.process.wait()
    assert comes(lambda: not Path(f"/proc/{orphan}").exists())
    daemon.start()


def test_a_process_ends_with_its_identity_though_a_connection_goes_on(
    served: Callable[..., tuple[Daemon, Peer]],
    origins: Callable[..., ScriptedOrigin],
    authority: Authority,
    staff: ClientAuthority,
    keys: dict[str, str],
) -> None:
    own = authority.issue("scripted-badges")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(own.certificate, own.key)
    context.load_verify_locations(staff.certificate)
    context.verify_mode = ssl.CERT_REQUIRED
    origin = origins(context)
    daemon, peer = served(MODULE)
    session = opened(peer, authority)
    add(peer, session, keys["ec"])
    assert peer.fetch(session, origin.serve("/", reply()))["status"] == 200
    gate = origin.gate()
    fetch = peer.start_fetch(session, origin.serve("/held", held(gate, reply())))
    origin.wait_for_requests(1, "/held")
    peer.call("identity/remove", {"session": session})
    assert comes(lambda: helpers(daemon) == set())
    gate.open()
    assert peer.result(fetch)["status"] == 200
    assert len(origin.connections) == 1


def test_keys_of_tokens_are_limited_for_each_uid(
    served: Callable[..., tuple[Daemon, Peer]], keys: dict[str, str]
) -> None:
    directory = Path(tempfile.mkdtemp(prefix="watchword-"))
    directory.chmod(0o755)
    daemon, peer = served(MODULE, access="host", directory=directory)
    limit = peer.call("status")["limits"]["tokenProcessesPerUid"]
    sessions = [peer.open(f"s{number}") for number in range(limit + 1)]
    for session in sessions[:limit]:
        add(peer, session, keys["ec"])
    with pytest.raises(RemoteError) as caught:
        add(peer, sessions[-1], keys["ec"])
    assert (caught.value.kind, caught.value.data["limit"]) == ("limitExceeded", "tokenProcessesPerUid")
    assert len(helpers(daemon)) == limit
    if os.getuid() == 0:
        request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "identity/tokens", "params": {}})
        neighbour = [sys.executable, "-c", NEIGHBOUR, str(daemon.socket), request]
        told = subprocess.run(neighbour, capture_output=True, text=True, timeout=PATIENCE)
        assert "CN=alice" in told.stdout, told
    peer.call("identity/remove", {"session": sessions[0]})
    add(peer, sessions[-1], keys["ec"])


def test_a_notification_leaves_no_key_behind(
    served: Callable[..., tuple[Daemon, Peer]], keys: dict[str, str]
) -> None:
    daemon, peer = served(MODULE)
    session = peer.open()
    for pin, kept in ((PIN, 1), (WRONG_PIN, 0)):
        identity = {"pkcs11": keys["ec"], "passphrase": pin}
        peer.notify("identity/add", {"session": session, "identity": identity})
        assert peer.call("status")["usage"]["tokenProcesses"] == 1
        while kept and not peer.call("identity/list", {"session": session})["identities"]:
            pass
        assert peer.call("identity/remove", {"session": session}) == {"removed": kept}
        assert comes(lambda: peer.call("status")["usage"]["tokenProcesses"] == 0)
    assert comes(lambda: helpers(daemon) == set())


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
    # It is not asked again until somebody has seen to it.
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


def test_a_pin_is_typed_into_a_reader_that_has_a_keypad(
    faulty: tuple[Daemon, Peer, Path],
    authority: Authority,
    server: MutualTLS,
    badge: SoftToken,
    staff: ClientAuthority,
) -> None:
    _, peer, file = faulty
    file.write_text("keypad")
    file.with_suffix(".pin").write_text(PIN)
    session = opened(peer, authority)
    # It wants the PIN for each signature, and takes it from the keypad then, too.
    identity = {"pkcs11": badge.take(staff.issue("typist"), 4, asks_always=True)}
    peer.call("identity/add", {"session": session, "identity": identity})
    assert shown(peer.fetch(session, server.url())).subject == "CN=typist"


def test_a_key_that_wants_its_pin_for_each_signature_gets_it(
    peer: Peer, authority: Authority, server: MutualTLS, badge: SoftToken, staff: ClientAuthority
) -> None:
    session = opened(peer, authority)
    add(peer, session, badge.take(staff.issue("carl"), 5, asks_always=True))
    for version, http in KINDS:
        assert shown(peer.fetch(session, server.url(version, http))).subject == "CN=carl"


@pytest.mark.parametrize("fault", ["hang-load", "hang-login"])
def test_a_module_that_hangs_holds_nobody_up_and_goes_with_its_caller(
    faulty: tuple[Daemon, Peer, Path], keys: dict[str, str], fault: str
) -> None:
    daemon, peer, file = faulty
    file.write_text(fault)
    session = peer.open()
    identity = {"pkcs11": keys["ec"], "passphrase": PIN}
    adding = peer.request("identity/add", {"session": session, "identity": identity})
    assert peer.call("ping", {}) == {}
    assert len(helpers(daemon)) == 1
    peer.notify("$/cancelRequest", {"id": adding})
    with pytest.raises(RemoteError) as caught:
        peer.result(adding)
    assert caught.value.kind == "requestCancelled"
    assert comes(lambda: helpers(daemon) == set())
    with Peer(daemon.socket) as brief:
        brief.request("identity/add", {"session": brief.open(), "identity": identity})
        assert comes(lambda: len(helpers(daemon)) == 1)
    assert comes(lambda: helpers(daemon) == set())
    file.write_text("")
    add(peer, session, keys["ec"])


def test_the_process_can_be_neither_traced_nor_dumped(
    served: Callable[..., tuple[Daemon, Peer]], keys: dict[str, str]
) -> None:
    daemon, peer = served(MODULE)
    add(peer, peer.open(), keys["ec"])
    (process,) = helpers(daemon)
    limits = Path(f"/proc/{process}/limits").read_text()
    (core,) = [line for line in limits.splitlines() if line.startswith("Max core file size")]
    assert core.split()[4:6] == ["0", "0"]
    status = Path(f"/proc/{process}/status").read_text()
    assert "NoNewPrivs:\t1" in status
    # Nothing of the daemon's but the one connection.
    leads = {str(entry.readlink()).partition(":")[0] for entry in Path(f"/proc/{process}/fd").iterdir()}
    assert leads <= {"socket", "/dev/null"} | {lead for lead in leads if lead.startswith(str(MODULE.parent))}
