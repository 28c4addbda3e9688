"""`watchword trust add-ca`, and the variables that name a file of roots for curl."""

from __future__ import annotations

import json
import ssl
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.command_line.scene import FAILED, OK, TRUST, USAGE, Command
from Support.certificates import Authority
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import OK_BODY, reply

Origins = Callable[..., ScriptedOrigin]


@pytest.fixture
def private(origins: Origins, tls_context: ssl.SSLContext) -> str:
    """A page of a server whose authority is private."""
    return origins(tls_context).serve("/", reply())


def test_an_authority_is_added_once_for_everything(
    watchword: Command, private: str, authority: Authority
) -> None:
    assert watchword("fetch", private).returncode == TRUST
    added = watchword("trust", "add-ca", str(authority.certificate))
    assert added.returncode == OK and added.stdout.endswith(b"added 1\n")
    assert watchword("fetch", private).stdout == OK_BODY
    assert watchword("fetch", "--session", "other", private).stdout == OK_BODY
    assert watchword("fetch", "--private", private).stdout == OK_BODY
    listed = watchword("trust", "list-ca").stdout
    (root,) = json.loads(watchword("trust", "list-ca", "--json").stdout)["roots"]
    assert listed.startswith(root["sha256"].encode() + b"  CN=Watchword test root, good until ")
    assert b"authority " + listed in watchword("trust").stdout
    assert b"root        " + listed in watchword("explain", private).stdout
    assert b"\n1 certificate authority beside the system's, " in watchword("status", "--all").stdout
    assert watchword("trust", "remove-ca", "00" * 32).returncode == FAILED
    spoken = ":".join(root["sha256"][index : index + 2] for index in range(0, 64, 2)).upper()
    assert watchword("trust", "remove-ca", spoken).stdout == b"removed 1\n"
    assert watchword("fetch", private).returncode == TRUST
    assert watchword("trust", "list-ca").stdout == b""


def test_a_few_digits_and_all_are_enough(watchword: Command, authority: Authority, tmp_path: Path) -> None:
    both = tmp_path / "both.pem"
    both.write_text(authority.pem + Authority(tmp_path / "other", name="Other root").pem)
    assert watchword("trust", "add-ca", str(both)).stdout.endswith(b"added 2\n")
    first = watchword("trust", "list-ca").stdout[:8].decode()
    assert watchword("trust", "remove-ca", first).stdout == b"removed 1\n"
    assert watchword("trust", "remove-ca", first).returncode == FAILED
    assert watchword("trust", "remove-ca", "--all", "--json").stdout == b'{"removed":1}\n'
    for wrong in ([], ["ab"], [first, "--all"], [first, first]):
        assert watchword("trust", "remove-ca", *wrong).returncode == USAGE


def test_der_and_a_key_beside_it(
    watchword: Command, private: str, authority: Authority, tmp_path: Path
) -> None:
    der = tmp_path / "ca.crt"
    der.write_bytes(ssl.PEM_cert_to_DER_cert(authority.pem))
    assert watchword("trust", "add-ca", str(der)).returncode == OK
    assert watchword("fetch", private).stdout == OK_BODY
    mixed = tmp_path / "mixed.pem"
    mixed.write_text("words\n" + authority.key.read_text() + authority.pem)
    assert watchword("trust", "add-ca", str(mixed)).stdout.endswith(b"added 0\n")


def test_what_is_no_authority_is_refused(watchword: Command, authority: Authority, tmp_path: Path) -> None:
    leaf = watchword("trust", "add-ca", str(authority.issue("leaf").certificate))
    assert leaf.returncode == USAGE and b"watchword fetch -k" in leaf.stderr
    empty = tmp_path / "empty.pem"
    empty.write_text("nothing\n")
    assert b"has no certificate" in watchword("trust", "add-ca", str(empty)).stderr
    assert watchword("trust", "add-ca", str(tmp_path / "none.pem")).returncode != OK
    assert watchword("trust", "add-ca").returncode == USAGE


@pytest.mark.parametrize("name", ["CURL_CA_BUNDLE", "SSL_CERT_FILE"])
def test_curls_variables_do_what_cacert_does(
    watchword: Command, private: str, authority: Authority, tmp_path: Path, name: str
) -> None:
    other = Authority(tmp_path / "other", name="Other root").certificate
    watchword.environment[name] = str(authority.certificate)
    assert watchword("fetch", private).stdout == OK_BODY
    assert watchword("certificate", private).returncode == OK
    # The option takes precedence, and a named session has its own settings.
    assert watchword("fetch", "--cacert", str(other), private).returncode == TRUST
    assert watchword("fetch", "--session", "named", private).returncode == TRUST
    watchword.environment[name] = ""
    assert watchword("fetch", private).returncode == TRUST
    watchword.environment[name] = str(tmp_path / "none.pem")
    assert b"none.pem" in watchword("fetch", private).stderr


def test_the_systems_own_bundle_says_nothing(watchword: Command, private: str, authority: Authority) -> None:
    """Many installations name it for every program: each fetch would have a session of its own."""
    watchword.environment["CURL_CA_BUNDLE"] = "/etc/ssl/certs/ca-certificates.crt"
    watchword("trust", "add-ca", str(authority.certificate))
    assert watchword("fetch", private).stdout == OK_BODY
    assert watchword("fetch", "--cacert", "/etc/ssl/certs/ca-certificates.crt", private).returncode == TRUST


def test_the_first_of_them_counts(
    watchword: Command, private: str, authority: Authority, tmp_path: Path
) -> None:
    other = Authority(tmp_path / "other", name="Other root").certificate
    watchword.environment["CURL_CA_BUNDLE"] = str(authority.certificate)
    watchword.environment["SSL_CERT_FILE"] = str(other)
    assert watchword("fetch", private).stdout == OK_BODY
