"""What is sent and how the result is checked: retries, forms, checksums and netrc, with curl's meanings."""

from __future__ import annotations

import email
import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.command_line.scene import (
    AUTHENTICATION,
    CONNECTION,
    FAILED,
    INPUT,
    OK,
    STATUS,
    Command,
    complaint,
)
from Integration.sentinels import PASSWORD, USER
from Support.documents import binary
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reply, stall_after


def test_what_may_pass_is_tried_again(watchword: Command, origin: ScriptedOrigin, tmp_path: Path) -> None:
    again = [reply(503, b"busy"), reply(429, b"busy", [("Retry-After", "0")]), reply(body=b"there")]
    url = origin.serve("/", *again)
    done = watchword("fetch", "--retry", "5", "--retry-delay", "0.01", "-w", "%{http_code}", url)
    assert (done.returncode, done.stdout) == (OK, b"there200")
    assert b"the server answered 503" in done.stderr
    url = origin.serve("/file", *again)
    assert (
        watchword("fetch", "-s", "--retry", "5", "--retry-delay", "0.01", "-o", f"{tmp_path}/f", url).stderr
        == b""
    )
    assert (tmp_path / "f").read_bytes() == b"there"


def test_retries_have_an_end(watchword: Command, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply(500, b"broken"))
    done = watchword("fetch", "--retry", "2", "--retry-delay", "0.01", url)
    assert (done.returncode, done.stdout, len(origin.requests)) == (OK, b"broken", 3)
    assert watchword("fetch", "-f", "--retry", "1", "--retry-delay", "0.01", url).returncode == STATUS


def test_what_does_not_pass_is_not_tried_again(
    watchword: Command, origin: ScriptedOrigin, staff: str
) -> None:
    url = origin.serve("/", reply(404))
    assert watchword("fetch", "--retry", "3", url).returncode == OK
    assert len(origin.requests) == 1
    assert watchword("fetch", "-f", "--retry", "3", staff).returncode == AUTHENTICATION
    assert len(origin.requests) == 2
    closed = origin.serve("/", reply()).replace(str(origin.port), "1")
    assert watchword("fetch", "--retry", "3", closed).returncode == CONNECTION
    done = watchword("fetch", "--retry", "2", "--retry-delay", "0.01", "--retry-connrefused", closed)
    assert (done.returncode, done.stderr.count(b"trying again")) == (CONNECTION, 2)


def test_a_time_limit_that_passed_is_tried_again_with_the_body(
    watchword: Command, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/", stall_after(), reply(body=b"there"))
    options = ["--retry", "1", "--retry-delay", "0.01", "-m", "1"]
    done = watchword("fetch", *options, "-d", "a=1", url)
    assert (done.returncode, done.stdout) == (OK, b"there")
    assert [request.body for request in origin.requests] == [b"a=1", b"a=1"]


def test_a_pipe_is_sent_once(watchword: Command, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply(503, b"busy"), reply())
    done = watchword("fetch", "--retry", "3", "-T", "-", url, send=b"from a pipe")
    assert (done.returncode, done.stdout, len(origin.requests)) == (OK, b"busy", 1)


def parts(origin: ScriptedOrigin) -> list[tuple[str | None, str | None, str | None, bytes]]:
    """Name, file name, type and content of each part of the last request."""
    request = origin.requests[-1]
    text = b"Content-Type: " + (request.header("Content-Type") or "").encode() + b"\r\n\r\n" + request.body
    message = email.message_from_bytes(text)
    assert message.get_content_type() == "multipart/form-data"
    found: list[tuple[str | None, str | None, str | None, bytes]] = []
    for part in list(message.walk())[1:]:
        name, content = part.get_param("name", header="Content-Disposition"), part.get_payload(decode=True)
        assert isinstance(name, str)
        assert isinstance(content, bytes)
        found.append((name, part.get_filename(), part["Content-Type"], content))
    return found


def test_a_form_has_texts_and_files(watchword: Command, origin: ScriptedOrigin, tmp_path: Path) -> None:
    content = binary(100_000)
    (tmp_path / "a.png").write_bytes(content)
    (tmp_path / "b;c.txt").write_text("quoted")
    url = origin.serve("/", reply())
    arguments = [
        "-F", "plain=text; with=more", "-F", "typed={};type=application/json",
        "-F", f"image=@{tmp_path}/a.png",
        "-F", f'odd=@"{tmp_path}/b;c.txt";type=text/x;filename=other',
    ]  # fmt: skip
    done = watchword("fetch", *arguments, "--form-string", "raw=@x;type=y", url)
    assert done.returncode == OK, done.stderr
    assert origin.requests[-1].method == "POST"
    assert parts(origin) == [
        ("plain", None, None, b"text; with=more"),
        ("typed", None, "application/json", b"{}"),
        ("image", "a.png", "image/png", content),
        ("odd", "other", "text/x", b"quoted"),
        ("raw", None, None, b"@x;type=y"),
    ]


def test_a_form_may_read_a_text_from_a_file_or_a_pipe(
    watchword: Command, origin: ScriptedOrigin, tmp_path: Path
) -> None:
    (tmp_path / "f").write_bytes(b"from a file")
    url = origin.serve("/", reply())
    assert (
        watchword("fetch", "-F", f"a=<{tmp_path}/f", "-F", "b=@-;filename=n", url, send=b"piped").returncode
        == OK
    )
    assert parts(origin) == [
        ("a", None, None, b"from a file"),
        ("b", "n", None, b"piped"),
    ]


def test_a_form_is_sent_again_after_a_challenge(
    watchword: Command, origin: ScriptedOrigin, staff: str, askpass: Callable[..., str], tmp_path: Path
) -> None:
    content = binary(2 << 20)
    (tmp_path / "f").write_bytes(content)
    program = askpass(USER, PASSWORD)
    assert watchword("fetch", "-f", "--askpass", program, "-F", f"a=@{tmp_path}/f", staff).returncode == OK
    assert [len(request.body) > len(content) for request in origin.requests] == [True, True]
    assert parts(origin)[0][3] == content


def test_a_checksum_is_checked(watchword: Command, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply(body=b"abc"))
    right = hashlib.sha256(b"abc").hexdigest()
    assert watchword("fetch", "--checksum", f"sha-256={right}", url).returncode == OK
    done = watchword("fetch", "--checksum", f"sha-256={'0' * 64}", url)
    assert (done.returncode, "digest" in complaint(done)) == (FAILED, True)


@pytest.mark.parametrize("options", [[], ["-f"], ["-i"]])
def test_a_body_that_is_not_the_right_one_gets_no_name(
    watchword: Command, origin: ScriptedOrigin, tmp_path: Path, options: list[str]
) -> None:
    url = origin.serve("/", reply(body=b"abc"))
    file = tmp_path / "file"
    fetch = ("fetch", *options, "-o", str(file), "--checksum")
    for known in (None, b"known before"):
        if known is not None:
            file.write_bytes(known)
        assert watchword(*fetch, f"sha-256={'0' * 64}", url).returncode == FAILED
        assert list(tmp_path.iterdir()) == ([] if known is None else [file])
        assert known is None or file.read_bytes() == known
    assert watchword(*fetch, f"sha-256={hashlib.sha256(b'abc').hexdigest()}", url).returncode == OK
    assert file.read_bytes().endswith(b"abc")
    missing = origin.serve("/missing", reply(404, body=b"abc"))
    assert watchword(*fetch, f"sha-256={'0' * 64}", "-f", missing).returncode == STATUS
    assert file.read_bytes().endswith(b"abc")
    assert list(tmp_path.iterdir()) == [file]


def test_netrc_answers_without_a_question(
    watchword: Command, origin: ScriptedOrigin, staff: str, tmp_path: Path
) -> None:
    file = tmp_path / "netrc"
    file.write_text(f"machine 127.0.0.1 login {USER} password {PASSWORD}\n")
    file.chmod(0o644)
    done = watchword("fetch", "-f", "--netrc-file", str(file), staff)
    assert (done.returncode, "other users" in complaint(done), origin.requests) == (FAILED, True, [])
    file.chmod(0o600)
    assert watchword("fetch", "-f", "--netrc-file", str(file), staff).returncode == OK
    assert (
        watchword("fetch", "-f", "--askpass", "/bin/false", "--netrc-file", str(file), staff).returncode == OK
    )
    (tmp_path / ".netrc").write_bytes(file.read_bytes())
    (tmp_path / ".netrc").chmod(0o600)
    assert watchword("fetch", "-f", "-n", staff, HOME=str(tmp_path)).returncode == OK
    assert watchword("fetch", "-n", staff, HOME=str(tmp_path / "nowhere")).returncode == INPUT
    assert (
        watchword("fetch", "--netrc-optional", origin.serve("/", reply()), HOME="/nowhere").returncode == OK
    )
