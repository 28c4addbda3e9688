"""`watchword` and servers' certificates: what a person is asked, what a script gets, what is kept."""

from __future__ import annotations

import base64
import hashlib
import json
import ssl
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.command_line.scene import AUTHENTICATION, FAILED, OK, TRUST, USAGE, Command
from Integration.wire import Json, Peer, RemoteError
from Support.certificates import Authority, Identity
from Support.daemon import Daemon
from Support.exchange import Exchange
from Support.revocation import ocsp_response, revocation_list
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import OK_BODY, reply
from Support.tls_server import TLSServer

Origins = Callable[..., ScriptedOrigin]
UNKNOWN = b"its certificate has an unknown issuer"


@pytest.fixture
def strange(origins: Origins, tls_context: ssl.SSLContext) -> ScriptedOrigin:
    """An origin whose issuer no session here knows."""
    origin = origins(tls_context)
    origin.serve("/*", reply())
    return origin


@pytest.fixture
def pin(authority: Authority) -> str:
    """Of the key of that origin, made without our help."""
    public = subprocess.run(
        ["openssl", "pkey", "-in", str(authority.directory / "scripted.key"), "-pubout", "-outform", "DER"],
        check=True,
        capture_output=True,
    ).stdout
    return "sha256//" + base64.b64encode(hashlib.sha256(public).digest()).decode()


def test_a_script_is_refused_and_told_why(watchword: Command, strange: ScriptedOrigin) -> None:
    done = watchword("fetch", strange.url + "/")
    assert (done.returncode, done.stdout, strange.requests) == (TRUST, b"", [])
    assert b"has an unknown issuer" in done.stderr


def test_what_a_person_accepts_serves_the_session(watchword: Command, strange: ScriptedOrigin) -> None:
    terminal = watchword.on_terminal("fetch", "--session", "dev", strange.url + "/")
    assert UNKNOWN in terminal.read_until(b"no: ")
    terminal.type("session")
    assert terminal.end() == OK
    assert watchword("fetch", "--session", "dev", strange.url + "/").stdout == OK_BODY
    assert watchword("fetch", "--session", "other", strange.url + "/").returncode == TRUST
    listed = watchword("trust", "--session", "dev").stdout
    assert strange.url.encode() in listed and UNKNOWN in listed
    assert strange.url.encode() in watchword("explain", "--session", "dev", strange.url).stdout
    (decision,) = json.loads(watchword("trust", "--session", "dev", "--json").stdout)["trust"]
    unknown = watchword("trust", "remove", "--session", "dev", "ab" * 32)
    assert (unknown.returncode, unknown.stdout) == (FAILED, b"removed 0\n")
    assert b"watchword trust remove-ca removes an authority by its SHA-256" in unknown.stderr
    assert watchword("trust", "remove", "--session", "dev", decision["trust"]).stdout == b"removed 1\n"
    assert watchword("fetch", "--session", "dev", strange.url + "/").returncode == TRUST


def test_what_a_person_accepts_for_ever_serves_every_session(
    watchword: Command, strange: ScriptedOrigin, daemon: Daemon
) -> None:
    terminal = watchword.on_terminal("fetch", "--session", "dev", strange.url + "/")
    terminal.read_until(b"session, always, no: ")
    terminal.type("always")
    assert terminal.end() == OK
    watchword("shutdown")
    daemon.process.wait()
    daemon.start()
    assert watchword("fetch", "--session", "other", strange.url + "/").stdout == OK_BODY
    assert watchword("sessions", "reset", "other").returncode == OK
    listed = watchword("trust").stdout
    assert listed.startswith(b"p1  " + strange.url.encode()) and b", permanent, used 1 time" in listed
    metrics = watchword("status", "--metrics").stdout
    assert metrics.count(b'\nwatchword_usage{limit="permanent_trust_per_uid"} 1\n') == 1
    assert watchword("trust", "remove", "p1").stdout == b"removed 1\n"
    assert watchword("fetch", "--session", "other", strange.url + "/").returncode == TRUST


def test_for_ever_needs_a_place(watchword: Command, strange: ScriptedOrigin, daemon: Daemon) -> None:
    (daemon.directory / "state").write_text("in the way")
    terminal = watchword.on_terminal("fetch", strange.url + "/")
    terminal.read_until(b"no: ")
    terminal.type("always")
    terminal.read_until(b"is not a directory")
    terminal.type("once")
    assert terminal.end() == OK


def test_once_is_once(watchword: Command, strange: ScriptedOrigin) -> None:
    terminal = watchword.on_terminal("fetch", strange.url + "/")
    terminal.read_until(b"no: ")
    terminal.type("once")
    assert terminal.end() == OK
    assert OK_BODY.strip() in terminal.screen
    assert watchword("trust").stdout == b""
    assert watchword("fetch", strange.url + "/").returncode == TRUST


def test_k_excuses_for_one_fetch(watchword: Command, strange: ScriptedOrigin) -> None:
    done = watchword("fetch", "-k", "--because", "a test", strange.url + "/")
    assert (done.returncode, done.stdout) == (OK, OK_BODY)
    assert UNKNOWN in done.stderr and b"the reason given: a test\n" in done.stderr
    assert watchword("fetch", "-sk", "--because", "ticket 4711", strange.url + "/").stderr == b""
    newest = watchword("credentials", "history").stdout.splitlines()[0]
    assert b" answered at " in newest and b', because "ticket 4711", session ' in newest
    assert watchword("fetch", strange.url + "/").returncode == TRUST


def test_a_pin_is_checked_on_good_certificates(
    watchword: Command, strange: ScriptedOrigin, authority: Authority, pin: str
) -> None:
    known = ["--cacert", str(authority.certificate)]
    other = "sha256//" + base64.b64encode(bytes(32)).decode()
    assert watchword("fetch", *known, "--pinnedpubkey", f"{other};{pin}", strange.url + "/").returncode == OK
    count = len(strange.requests)
    done = watchword("fetch", *known, "--pinnedpubkey", other, strange.url + "/")
    assert (done.returncode, len(strange.requests)) == (TRUST, count)
    assert b"does not match a pin" in done.stderr and b"watchword certificate" in done.stderr
    assert b"add-ca" not in done.stderr
    # As with curl, the last option counts.
    twice = ["--pinnedpubkey", pin, "--pinnedpubkey", other]
    assert watchword("fetch", *known, *twice, strange.url + "/").returncode == TRUST
    # A pin does not make a certificate good.
    assert watchword("fetch", "--pinnedpubkey", pin, strange.url + "/").returncode == TRUST


def test_a_pin_is_checked_on_certificates_that_were_accepted(
    watchword: Command, strange: ScriptedOrigin, pin: str
) -> None:
    """A decision that counts in every session was made without the pin."""
    terminal = watchword.on_terminal("fetch", strange.url + "/")
    terminal.read_until(b"no: ")
    terminal.type("always")
    assert terminal.end() == OK
    assert watchword("fetch", strange.url + "/").returncode == OK
    other = "sha256//" + base64.b64encode(bytes(32)).decode()
    count = len(strange.requests)
    for options in ([], ["-k", "--because", "a test"]):
        done = watchword("fetch", *options, "--pinnedpubkey", other, strange.url + "/")
        assert (done.returncode, len(strange.requests)) == (TRUST, count), done.stderr
        assert b"does not match a pin" in done.stderr
    assert watchword("fetch", "--pinnedpubkey", pin, strange.url + "/").returncode == OK


def test_a_pin_is_checked_where_a_redirect_leads(
    watchword: Command, strange: ScriptedOrigin, origin: ScriptedOrigin, authority: Authority, pin: str
) -> None:
    async def moved(exchange: Exchange) -> None:
        await exchange.respond(302, [("Location", f"https://127.0.0.1:{strange.port}/")])

    start = origin.serve("/moved", moved)
    known = ["--cacert", str(authority.certificate), "-L"]
    other = "sha256//" + base64.b64encode(bytes(32)).decode()
    done = watchword("fetch", *known, "--pinnedpubkey", other, start)
    assert (done.returncode, strange.requests) == (TRUST, [])
    assert f"watchword certificate https://127.0.0.1:{strange.port} ".encode() in done.stderr
    assert watchword("fetch", *known, "--pinnedpubkey", pin, start).returncode == OK


def test_k_excuses_nothing_that_the_policy_fixes(
    governed: Callable[[Json], tuple[Daemon, Peer]], strange: ScriptedOrigin
) -> None:
    daemon, _ = governed({"domains": [{"domain": "localhost", "allowsLooseningTrust": False}]})
    done = Command(daemon)("fetch", "-k", "--because", "a test", strange.url + "/")
    assert (done.returncode, done.stdout, strange.requests) == (TRUST, b"", [])
    assert b"transportSecurity.domains[0].allowsLooseningTrust" in done.stderr
    assert b"is accepted" not in done.stderr


def test_the_certificates_of_a_server_are_shown(
    watchword: Command, strange: ScriptedOrigin, authority: Authority, pin: str
) -> None:
    done = watchword("certificate", strange.url)
    assert done.returncode == TRUST
    assert UNKNOWN in done.stdout and b"CN=Watchword test root" in done.stdout
    assert pin.replace("//", "/", 1).encode() in done.stdout
    trusted = watchword("certificate", "--cacert", str(authority.certificate), "--pem", strange.url)
    assert trusted.returncode == OK
    shown = ssl.PEM_cert_to_DER_cert(trusted.stdout.decode())
    assert shown == ssl.PEM_cert_to_DER_cert((authority.directory / "scripted.pem").read_text())
    assert strange.requests == []


def test_a_session_refuses_an_old_version(watchword: Command, strange: ScriptedOrigin) -> None:
    strange_enough = ["-k", "--because", "a test", strange.url + "/"]
    assert watchword("fetch", "--tlsv1.3", *strange_enough).returncode == OK
    assert watchword("fetch", "--tls-max", "1.2", *strange_enough).returncode == OK


@pytest.mark.parametrize("options", [["--trust", "certificate"], ["--trust", "publicKey"]])
def test_a_waiting_fetch_is_let_go_on_from_another_terminal(
    watchword: Command, connect: Callable[..., Peer], strange: ScriptedOrigin, options: list[str]
) -> None:
    peer = connect()
    peer.open("s", tasks=["serverTrust"])
    fetch = peer.start_fetch("s", strange.url + "/")
    challenge = peer.notification("task/didReceiveChallenge")["challenge"]
    assert UNKNOWN in watchword("challenges").stdout
    done = watchword("answer", challenge, *options)
    assert done.returncode == OK, done.stderr
    assert peer.result(fetch)["status"] == 200
    assert watchword("trust", "--session", "s").stdout == b""


def test_no_on_another_terminal_fails_the_waiting_fetch(
    watchword: Command, connect: Callable[..., Peer], strange: ScriptedOrigin
) -> None:
    peer = connect()
    peer.open("s", tasks=["serverTrust"])
    fetch = peer.start_fetch("s", strange.url + "/")
    terminal = watchword.on_terminal("answer", peer.notification("task/didReceiveChallenge")["challenge"])
    terminal.read_until(b"no: ")
    terminal.type("no")
    assert terminal.end() == OK
    with pytest.raises(RemoteError) as caught:
        peer.result(fetch)
    assert caught.value.kind == "serverTrustRejected"


def test_cancel_on_another_terminal_fails_the_waiting_fetch(
    watchword: Command, connect: Callable[..., Peer], staff: str
) -> None:
    peer = connect()
    peer.open("s", tasks=["*"])
    fetch = peer.start_fetch("s", staff)
    assert watchword("answer", "--cancel", peer.challenge()["challenge"]).returncode == OK
    with pytest.raises(RemoteError) as caught:
        peer.result(fetch)
    assert caught.value.kind == "userCancelledAuthentication"
    assert watchword("fetch", "--no-ask", "-f", staff).returncode == AUTHENTICATION


def test_revocation_is_checked_with_lists_and_responses(
    watchword: Command, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    issuer = Authority(tmp_path / "issuer")
    good, bad = issuer.issue("good"), issuer.issue("bad")
    lists = tmp_path / "lists.pem"
    lists.write_text(revocation_list(issuer, tmp_path, bad))
    known = ["--cacert", str(issuer.certificate)]

    def serve(identity: Identity, *options: str) -> str:
        server = TLSServer(tmp_path / f"{identity.certificate.stem}{len(options)}.log", identity, *options)
        request.addfinalizer(server.stop)
        return server.url

    plain, revoked = serve(good), serve(bad)
    stapling = serve(good, "-status_file", str(ocsp_response(issuer, good)))
    for options, url, code in (
        (["--crlfile", str(lists)], plain, OK),
        (["--crlfile", str(lists)], revoked, TRUST),
        (["--cert-status"], plain, TRUST),
        # A list is no response.
        (["--cert-status", "--crlfile", str(lists)], plain, TRUST),
        (["--cert-status", "--crlfile", str(lists)], stapling, OK),
    ):
        assert watchword("fetch", "-s", "-o", "/dev/null", *known, *options, url).returncode == code
        assert watchword("certificate", *known, *options, url).returncode == code
    lists.write_text("no list")
    refused = watchword("fetch", *known, "--crlfile", str(lists), plain)
    assert refused.returncode == USAGE and b"lists.pem: there is no PEM block" in refused.stderr
