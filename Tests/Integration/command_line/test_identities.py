"""`watchword identities`, and `fetch --cert`, as a person and a script use them."""

from __future__ import annotations

import json
import ssl
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.command_line.scene import AUTHENTICATION, FAILED, INPUT, OK, STATUS, USAGE, Command
from Integration.sentinels import PASSWORD, USER
from Integration.wire import Peer, body_of
from Support.certificates import Authority
from Support.client_identities import PASSPHRASE, ClientAuthority, ClientIdentity
from Support.guards import BasicGuard, guarded
from Support.mutual_tls import MutualTLS
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import OK_BODY


@pytest.fixture(scope="module")
def staff(run_directory: Path) -> ClientAuthority:
    return ClientAuthority(run_directory / "commands", "Staff")


@pytest.fixture(scope="module")
def alice(staff: ClientAuthority) -> ClientIdentity:
    return staff.issue("alice")


@pytest.fixture(scope="module")
def server(run_directory: Path, authority: Authority, staff: ClientAuthority) -> Iterator[MutualTLS]:
    made = MutualTLS(run_directory / "commands-nginx", authority, [staff])
    yield made
    made.stop()


@pytest.fixture
def locked(alice: ClientIdentity, tmp_path: Path) -> Path:
    """A PEM file with the certificate and its encrypted key."""
    file = tmp_path / "locked.pem"
    file.write_text(alice.plain["certificates"] + alice.locked["privateKey"])
    return file


def answering(tmp_path: Path, *answers: str) -> str:
    """An askpass program that gives one answer a call."""
    for number, answer in enumerate(answers):
        (tmp_path / f"answer{number}").write_text(answer + "\n")
    script = tmp_path / "askpass"
    script.write_text(
        f'#!/bin/sh\ncd "{tmp_path}" || exit 1\nprintf "%s\\n" "$1" >>prompts\n'
        'cat "answer$(($(wc -l <prompts) - 1))"\n'
    )
    script.chmod(0o700)
    return str(script)


def test_an_identity_is_added_listed_and_removed(watchword: Command, alice: ClientIdentity) -> None:
    added = watchword("identities", "add", "--cert", str(alice.certificate), "--key", str(alice.key))
    assert added.returncode == OK, added.stderr
    identifier = added.stdout.decode().strip()
    line = watchword("identities").stdout.decode()
    assert line.startswith(f"{identifier}  CN=alice, issued by CN=Staff,O=Watchword, good until 20")
    (listed,) = json.loads(watchword("identities", "--json").stdout)["identities"]
    assert listed["identity"] == identifier
    assert watchword("identities", "remove", identifier).stdout == b"removed 1\n"
    gone = watchword("identities", "remove", identifier)
    assert (gone.returncode, gone.stdout) == (FAILED, b"removed 0\n")
    assert gone.stderr == b"hint: watchword identities lists them\n"


def test_what_is_beside_the_blocks_does_not_count(
    watchword: Command, alice: ClientIdentity, tmp_path: Path
) -> None:
    """Names of certificates in any encoding, and the byte order marks of files that were put together."""
    mark, name = b"\xef\xbb\xbf", b"Bag Attributes\n    friendlyName: J\xfcrgen\n"
    file = tmp_path / "names.pem"
    file.write_bytes(
        mark + alice.certificate.read_bytes() + mark + name + mark + alice.key.read_bytes() + name
    )
    added = watchword("identities", "add", "--cert", str(file))
    assert added.returncode == OK, added.stderr
    assert watchword("identities", "remove", added.stdout.decode().strip()).stdout == b"removed 1\n"


def test_a_key_that_openssl_has_encrypted_in_its_own_format_is_opened(
    watchword: Command, alice: ClientIdentity, tmp_path: Path
) -> None:
    """Its block has headers, and an empty line behind them (RFC 1421)."""
    key = tmp_path / "old.pem"
    files = ["-in", str(alice.key), "-out", str(key)]
    seal = ["-aes128", "-traditional", "-passout", f"pass:{PASSPHRASE}"]
    subprocess.run(["openssl", "pkey", *files, *seal], check=True, capture_output=True)
    assert "Proc-Type: 4,ENCRYPTED" in key.read_text()
    adding = ("identities", "add", "--cert", str(alice.certificate), "--key", str(key), "--password-fd", "0")
    added = watchword(*adding, send=PASSPHRASE.encode() + b"\n")
    assert added.returncode == OK, added.stderr


def test_a_permanent_identity_is_added_checked_and_exported(
    watchword: Command, locked: Path, tmp_path: Path
) -> None:
    send = PASSPHRASE.encode() + b"\n"
    adding = ("identities", "add", "--cert", str(locked), "--persistence", "permanent")
    added = watchword(*adding, "--password-fd", "0", send=send)
    assert added.returncode == OK, added.stderr
    assert ", permanent, presented 0 times" in watchword("identities").stdout.decode()
    assert (
        b"0 credentials, 0 decisions about certificates, 1 identities\n" in watchword("vault", "check").stdout
    )
    file = tmp_path / "sealed"
    exported = watchword("credentials", "export", str(file), "--password-fd", "0", send=send)
    assert exported.stdout == b"exported 0 credentials, 1 identities\n"
    assert watchword("identities", "remove", added.stdout.decode().strip()).stdout == b"removed 1\n"
    imported = watchword("credentials", "import", str(file), "--password-fd", "0", send=send)
    assert (
        imported.returncode == OK
        and len(json.loads(watchword("identities", "--json").stdout)["identities"]) == 1
    )
    refused = watchword(*adding[:-1], "synchronizable")
    assert refused.returncode == USAGE


def test_the_passphrase_is_asked_for_until_it_is_right(
    watchword: Command, locked: Path, tmp_path: Path
) -> None:
    program = answering(tmp_path, "wrong", "wrong", PASSPHRASE)
    added = watchword("identities", "add", "--cert", str(locked), "--askpass", program)
    assert added.returncode == OK, added.stderr
    assert b"watchword: the passphrase is wrong" not in added.stdout
    assert (tmp_path / "prompts").read_text() == f"{locked}: Passphrase: \n" * 3


def test_the_passphrase_comes_from_a_terminal_or_a_descriptor(watchword: Command, locked: Path) -> None:
    terminal = watchword.on_terminal("identities", "add", "--cert", str(locked))
    terminal.read_until(f"Passphrase of {locked}: ".encode())
    terminal.type(PASSPHRASE)
    assert terminal.end() == OK
    given = watchword(
        *("identities", "add", "--cert", str(locked), "--password-fd", "0"), send=PASSPHRASE.encode() + b"\n"
    )
    assert given.returncode == OK, given.stderr
    wrong = watchword("identities", "add", "--cert", str(locked), "--password-fd", "0", send=b"wrong\n")
    assert wrong.returncode == FAILED
    assert wrong.stderr == b"watchword: the identity cannot be used: the passphrase is wrong\n"


def test_no_way_to_ask_for_the_passphrase_is_said(watchword: Command, locked: Path) -> None:
    failed = watchword("identities", "add", "--cert", str(locked))
    assert failed.returncode == AUTHENTICATION
    assert failed.stderr.startswith(f"watchword: the key of {locked} needs its passphrase\n".encode())


@pytest.mark.parametrize(
    "arguments",
    [
        ("identities", "add"),
        ("identities", "remove"),
        ("identities", "remove", "--all", "i-0"),
        ("fetch", "--key", "x", "https://localhost/"),
    ],
)
def test_what_is_missing_is_wrong_usage(watchword: Command, arguments: tuple[str, ...]) -> None:
    assert watchword(*arguments).returncode == USAGE


def test_a_missing_file_is_named(watchword: Command, tmp_path: Path) -> None:
    failed = watchword("identities", "add", "--cert", str(tmp_path / "none.pem"))
    assert failed.returncode == INPUT
    assert failed.stderr.startswith(f"watchword: {tmp_path}/none.pem cannot be read".encode())


def test_a_fetch_presents_a_certificate_and_others_do_not(
    watchword: Command, server: MutualTLS, authority: Authority, alice: ClientIdentity
) -> None:
    options = ["--cacert", str(authority.certificate)]
    files = ["--cert", str(alice.certificate), "--key", str(alice.key)]
    fetched = watchword("fetch", "-f", *options, *files, server.url())
    assert fetched.returncode == OK, fetched.stderr
    assert fetched.stdout.startswith(b"CN=alice|")
    assert watchword("identities").stdout == b""
    without = watchword("fetch", "-f", *options, server.url())
    assert without.returncode == STATUS


def sessions(peer: Peer) -> list[str]:
    return [one["session"] for one in peer.call("session/list")["sessions"]]


def test_a_certificate_from_files_asks_once(
    watchword: Command,
    peer: Peer,
    origins: Callable[..., ScriptedOrigin],
    tls_context: ssl.SSLContext,
    authority: Authority,
    staff: ClientAuthority,
    locked: Path,
    tmp_path: Path,
) -> None:
    tls_context.load_verify_locations(staff.certificate)
    tls_context.verify_mode = ssl.CERT_REQUIRED
    url = origins(tls_context).serve("/staff", guarded(BasicGuard("staff", USER, PASSWORD)))
    plain = ("fetch", "-s", "--cacert", str(authority.certificate))
    program = answering(tmp_path, PASSPHRASE, USER, PASSWORD)
    first = watchword(*plain, "--cert", str(locked), "--askpass", program, url)
    assert (first.returncode, first.stdout) == (OK, OK_BODY), first.stderr
    (made,) = sessions(peer)
    assert made.startswith("settings-")
    for _ in range(2):
        assert watchword(*plain, "--cert", str(locked), url).stdout == OK_BODY
    assert len((tmp_path / "prompts").read_text().splitlines()) == 3
    # Nobody else presents it, and another file is another session, as is this one once it has changed.
    assert watchword(*plain, url).returncode not in (OK, AUTHENTICATION)
    other = tmp_path / "other.pem"
    other.write_bytes(locked.read_bytes())
    assert watchword(*plain, "--cert", str(other), url).returncode == AUTHENTICATION
    locked.write_bytes(other.read_bytes())
    assert watchword(*plain, "--cert", str(locked), url).returncode == AUTHENTICATION


@pytest.mark.parametrize("how", ["private", "none", "pipe", "named"])
def test_a_certificate_that_is_not_kept(
    watchword: Command, peer: Peer, server: MutualTLS, authority: Authority, alice: ClientIdentity, how: str
) -> None:
    """Or that a named session is given, which may have had another one before."""
    if how == "named":
        configuration = {"tls": {"roots": {"certificates": authority.pem, "exclusive": True}}}
        peer.open("named", configuration=configuration)
    files = ["--cert", str(alice.certificate), "--key", str(alice.key)]
    options = {
        "private": [*files, "--private"],
        "none": [*files, "--persistence", "none"],
        "pipe": ["--cert", "-"],
        "named": [*files, "--session", "named"],
    }[how]
    both = alice.certificate.read_bytes() + alice.key.read_bytes()
    for _ in range(2):
        fetched = watchword(
            *("fetch", "-f", "--cacert", str(authority.certificate), *options, server.url()),
            send=both if how == "pipe" else b"",
        )
        assert fetched.stdout.startswith(b"CN=alice|"), fetched.stderr
        assert sessions(peer) == (["named"] if how == "named" else [])


def test_a_fetch_keeps_a_permanent_certificate_for_others(
    watchword: Command, server: MutualTLS, authority: Authority, alice: ClientIdentity
) -> None:
    options = ["--cacert", str(authority.certificate)]
    files = ["--cert", str(alice.certificate), "--key", str(alice.key)]
    kept = watchword("fetch", "-f", *options, *files, "--persistence", "permanent", server.url())
    assert kept.returncode == OK, kept.stderr
    assert b", permanent, " in watchword("identities").stdout
    without = watchword("fetch", "-f", *options, server.url())
    assert without.stdout.startswith(b"CN=alice|"), without.stderr


def test_a_fetch_presents_pkcs12(
    watchword: Command, server: MutualTLS, authority: Authority, alice: ClientIdentity, tmp_path: Path
) -> None:
    assert alice.pkcs12
    program = answering(tmp_path, PASSPHRASE)
    fetched = watchword(
        *("fetch", "-f", "--cacert", str(authority.certificate), "--askpass", program),
        *("-E", str(alice.key.with_suffix(".p12")), server.url(http="1.1")),
    )
    assert fetched.returncode == OK, fetched.stderr
    assert fetched.stdout.startswith(b"CN=alice|")


PROMPT = b"none, or cancel: "


def test_a_person_chooses_among_those_that_fit(
    watchword: Command, server: MutualTLS, authority: Authority, staff: ClientAuthority, run_directory: Path
) -> None:
    others = ClientAuthority(run_directory / "commands-others", "Others")
    session = ["--session", "chosen"]
    fetch = ["fetch", "-s", *session, "--cacert", str(authority.certificate), server.url()]
    # Makes the session with its settings.
    assert watchword(*fetch).returncode == OK
    for made in (staff.issue("ann"), staff.issue("ben"), others.issue("otto")):
        files = ["--cert", str(made.certificate), "--key", str(made.key)]
        assert watchword("identities", "add", *session, *files).returncode == OK
    explained = watchword("explain", *session, server.url()).stdout
    assert explained.index(b"CN=otto") < explained.index(b"CN=ben") < explained.index(b"CN=ann")
    terminal = watchword.on_terminal(*fetch)
    shown = terminal.read_until(b"Present 1 to 2 [1], a file, a pkcs11: URI, none, or cancel: ")
    assert shown.startswith(server.url()[:-1].encode() + b" asks for a client certificate\r\n")
    assert b"  issued by CN=Staff,O=Watchword\r\n" in shown
    assert b"  1  CN=ben, " in shown and b"  2  CN=ann, " in shown and b"otto" not in shown
    terminal.type("2")
    assert terminal.end() == OK
    assert b"CN=ann|" in terminal.screen
    # Decided for the session.
    assert watchword(*fetch).stdout.startswith(b"CN=ann|")
    decided = watchword("explain", *session, server.url()).stdout
    assert b"CN=ann, issued by CN=Staff,O=Watchword" in decided
    assert b"as decided for CN=Staff,O=Watchword\n" in decided


def test_a_person_gives_a_file_with_a_locked_key(
    watchword: Command, server: MutualTLS, authority: Authority, locked: Path
) -> None:
    terminal = watchword.on_terminal("fetch", "-s", "--cacert", str(authority.certificate), server.url())
    terminal.read_until(b"Present a file, a pkcs11: URI, none, or cancel: ")
    terminal.type(str(locked))
    terminal.read_until(b"Passphrase of")
    terminal.type("wrong")
    terminal.read_until(b"the passphrase is wrong\r\nPassphrase of")
    terminal.type(PASSPHRASE)
    assert terminal.end() == OK
    assert b"CN=alice|" in terminal.screen


@pytest.mark.parametrize(("word", "code"), [("none", OK), ("cancel", AUTHENTICATION), ("", AUTHENTICATION)])
def test_a_person_presents_none_or_cancels(
    watchword: Command, server: MutualTLS, authority: Authority, word: str, code: int
) -> None:
    url = server.url(verification="optional")
    terminal = watchword.on_terminal("fetch", "-s", "--cacert", str(authority.certificate), url)
    terminal.read_until(PROMPT)
    terminal.screen = b""
    terminal.type(word)
    assert terminal.end() == code
    assert (b"|TLSv1.3|" in terminal.screen) == (code == OK)


class Waiting:
    """Fetches of another process in the session `s`, which wait for a client certificate."""

    def __init__(self, peer: Peer, server: MutualTLS, authority: Authority) -> None:
        self.peer = peer
        self.url = server.url(verification="optional")
        configuration = {"tls": {"roots": {"certificates": authority.pem}}}
        peer.open("s", tasks=["clientCertificate"], configuration=configuration)

    def start(self) -> str:
        self.fetch = self.peer.start_fetch("s", self.url)
        return str(self.peer.challenge()["challenge"])

    def subject(self) -> str:
        return body_of(self.peer.result(self.fetch)).decode().partition("|")[0]


@pytest.fixture
def waiting(connect: Callable[..., Peer], server: MutualTLS, authority: Authority) -> Waiting:
    return Waiting(connect(), server, authority)


def test_a_script_answers_a_waiting_fetch_with_a_file(
    watchword: Command, waiting: Waiting, locked: Path, tmp_path: Path
) -> None:
    challenge = waiting.start()
    assert b"issued by CN=Staff,O=Watchword\n" in watchword("challenges").stdout
    assert watchword("answer", challenge, "--identity", "i-0").returncode == FAILED
    assert watchword("answer", challenge, "--cert", str(tmp_path / "none.pem")).returncode == INPUT
    wrong = watchword("answer", challenge, "--cert", str(locked), "--password-fd", "0", send=b"wrong\n")
    assert (wrong.returncode, b"the passphrase is wrong" in wrong.stderr) == (FAILED, True)
    program = answering(tmp_path, "wrong", PASSPHRASE)
    options = ["--cert", str(locked), "--askpass", program, "--persistence", "none"]
    given = watchword("answer", challenge, *options)
    assert given.returncode == OK, given.stderr
    assert waiting.subject() == "CN=alice"
    # For that fetch only.
    assert watchword("identities", "--session", "s").stdout == b""
    assert watchword("answer", waiting.start(), "--none").returncode == OK
    assert waiting.subject() == ""


def test_an_answer_from_elsewhere_holds_for_the_session(
    watchword: Command, waiting: Waiting, alice: ClientIdentity
) -> None:
    challenge = waiting.start()
    files = ["--cert", str(alice.certificate), "--key", str(alice.key)]
    added = watchword("identities", "add", "--session", "s", *files).stdout.decode().strip()
    terminal = watchword.on_terminal("answer", challenge)
    assert b"  1  CN=alice, issued by CN=Staff" in terminal.read_until(PROMPT)
    terminal.type("")
    assert terminal.end() == OK
    assert waiting.subject() == "CN=alice"
    shown = watchword("fetch", "--session", "s", waiting.url)
    assert shown.stdout.startswith(b"CN=alice|"), shown.stderr
    assert watchword("identities", "remove", "--session", "s", added).returncode == OK
    assert watchword("answer", waiting.start(), "--none").returncode == OK
    assert waiting.subject() == ""
    assert watchword("fetch", "--session", "s", waiting.url).stdout.startswith(b"|")
    assert b"certificate none, as decided" in watchword("explain", "--session", "s", waiting.url).stdout
