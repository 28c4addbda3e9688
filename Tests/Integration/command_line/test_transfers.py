"""Several URLs, limits, files of heads and cookies: curl's options with curl's meanings."""

from __future__ import annotations

import hashlib
import http.cookiejar
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.command_line.scene import (
    AUTHENTICATION,
    BODY_CUT,
    OK,
    OUTPUT,
    REDIRECTS,
    STATUS,
    TOO_LARGE,
    USAGE,
    Command,
    complaint,
)
from Integration.sentinels import PASSWORD, USER
from Support.documents import binary
from Support.exchange import Exchange
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import raw, redirect, reply

# Several URLs


def test_each_url_has_its_own_output(watchword: Command, origin: ScriptedOrigin, tmp_path: Path) -> None:
    first = origin.serve("/a", reply(body=b"first", headers=[("Set-Cookie", "k=v")]))
    second, third = origin.serve("/b", reply(body=b"second")), origin.serve("/c", reply(body=b"third"))
    done = watchword("fetch", "-o", f"{tmp_path}/a", first, "-o", f"{tmp_path}/b", second, third)
    assert (done.returncode, done.stdout, done.stderr) == (OK, b"third", b"")
    assert ((tmp_path / "a").read_bytes(), (tmp_path / "b").read_bytes()) == (b"first", b"second")
    assert [request.header("Cookie") for request in origin.requests] == [None] * 3, "as curl without -c"
    assert watchword("fetch", "-c", f"{tmp_path}/jar", first, second).returncode == OK
    assert origin.requests[-1].header("Cookie") == "k=v"
    assert len(origin.connections) == 1, "they share the session's connections"


def test_several_urls_share_a_private_session(
    watchword: Command, staff: str, askpass: Callable[..., str], tmp_path: Path
) -> None:
    done = watchword("fetch", "-f", "--private", "--askpass", askpass(USER, PASSWORD), staff, staff)
    assert done.returncode == OK
    assert len((tmp_path / "prompts").read_text().splitlines()) == 2, "user and password, once"


def test_the_exit_code_is_that_of_the_last(watchword: Command, origin: ScriptedOrigin) -> None:
    good, bad = origin.serve("/good", reply(body=b"good")), origin.serve("/bad", reply(404))
    done = watchword("fetch", "-f", bad, good)
    assert (done.returncode, done.stdout) == (OK, b"good")
    assert "404" in complaint(done)
    done = watchword("fetch", "-f", good, bad)
    assert (done.returncode, done.stdout) == (STATUS, b"good")
    assert watchword("fetch", "-sf", bad, good).stderr == b""


@pytest.mark.parametrize("is_shown", [False, True])
def test_a_refusal_of_an_earlier_one_is_not_lost(
    watchword: Command, origin: ScriptedOrigin, staff: str, tmp_path: Path, is_shown: bool
) -> None:
    """A script would go on without the page."""
    good, bad = origin.serve("/good", reply(body=b"good")), origin.serve("/bad", reply(404))
    first = tmp_path / "first"
    how = ["--deliver-401"] if is_shown else []
    done = watchword("fetch", *how, "-o", str(first), staff, good)
    assert (done.returncode, done.stdout) == (AUTHENTICATION, b"good")
    assert first.exists() == is_shown
    assert watchword("fetch", "-f", staff, bad).returncode == STATUS


def test_wrong_command_lines_fetch_nothing(watchword: Command, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply())
    for arguments in (
        ["-o", "a", "-o", "b", url],
        ["-T", "-", "-T", "-", url, url],
        [url, "http://user:password@x/"],
        ["--retry", "x", url],
        ["--max-filesize", "1X", url],
        ["-F", "name", url],
        ["-F", "a=b", "-d", "c", url],
        ["-d", "c", "-F", "a=b", url],
        ["-F", "a=@x,y", url],
        ["-F", "a=@x;kind=y", url],
    ):
        assert watchword("fetch", *arguments).returncode == USAGE, arguments
    assert not origin.requests


CUT = b'HTTP/1.1 200 OK\r\nETag: "v1"\r\nContent-Length: 10\r\n\r\n01234'


@pytest.mark.parametrize("options", [[], ["-f"], ["-D", "-"], ["-f", "-D", "-"]])
@pytest.mark.parametrize("before", [None, b"what was there"])
def test_the_beginning_of_a_body_is_written_when_the_rest_never_comes(
    watchword: Command, origin: ScriptedOrigin, tmp_path: Path, options: list[str], before: bytes | None
) -> None:
    """As with curl; what was there is lost."""
    file = tmp_path / "file"
    if before is not None:
        file.write_bytes(before)
    url = origin.serve("/", raw(CUT))
    done = watchword("fetch", *options, "-o", str(file), url)
    assert (done.returncode, file.read_bytes()) == (BODY_CUT, b"01234")
    assert complaint(done).endswith(f"\nhint: {file} has only the beginning of the body\n")
    done = watchword("fetch", *options, url)
    assert done.returncode == BODY_CUT and done.stdout.endswith(b"01234") and b"hint" not in done.stderr
    assert watchword("fetch", "--deliver-401", *options, url).returncode == BODY_CUT


def test_a_checksum_keeps_what_was_there(watchword: Command, origin: ScriptedOrigin, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"what was there")
    digest = f"sha-256={hashlib.sha256(b'0123456789').hexdigest()}"
    done = watchword("fetch", "--checksum", digest, "-o", str(file), origin.serve("/", raw(CUT)))
    assert (done.returncode, file.read_bytes()) == (BODY_CUT, b"what was there")
    assert b"hint" not in done.stderr and list(tmp_path.iterdir()) == [file]


def test_what_was_cut_off_is_continued(watchword: Command, origin: ScriptedOrigin, tmp_path: Path) -> None:
    rest = [("Content-Range", "bytes 5-9/10"), ("ETag", '"v1"')]
    url = origin.serve("/", raw(CUT), reply(206, b"56789", rest))
    file = tmp_path / "file"
    assert watchword("fetch", "-C", "-", "-o", str(file), url).returncode == BODY_CUT
    assert file.read_bytes() == b"01234"
    assert watchword("fetch", "-C", "-", "-o", str(file), url).returncode == OK
    assert file.read_bytes() == b"0123456789"
    assert origin.requests[-1].header("Range") == "bytes=5-"


# Heads and cookies


@pytest.mark.parametrize("options", [[], ["-I"], ["-i"]])
def test_heads_are_written_to_a_file(
    watchword: Command, origin: ScriptedOrigin, tmp_path: Path, options: list[str]
) -> None:
    urls = [origin.serve(f"/{name}", reply(headers=[("X-Name", name)])) for name in "ab"]
    heads = tmp_path / "heads"
    heads.write_text("what was there")
    assert watchword("fetch", *options, "-D", str(heads), *urls).returncode == OK
    lines = heads.read_bytes().split(b"\r\n")
    assert [line for line in lines if line.startswith((b"HTTP/", b"X-"))] == [
        b"HTTP/1.1 200", b"X-Name: a", b"HTTP/1.1 200", b"X-Name: b",
    ]  # fmt: skip


@pytest.fixture
def moved(origin: ScriptedOrigin) -> str:
    """A URL that redirects twice before the body comes."""
    origin.serve("/c", reply(body=b"the body", headers=[("X-Name", "c")]))
    origin.serve("/b", redirect("/c", 307, headers=[("X-Name", "b"), ("Set-Cookie", "k=v")]))
    return origin.serve("/a", redirect("/b", headers=[("X-Name", "a")]))


HEADS = [b"HTTP/1.1 302", b"X-Name: a", b"HTTP/1.1 307", b"X-Name: b", b"HTTP/1.1 200", b"X-Name: c"]


def lines_of_heads(text: bytes) -> list[bytes]:
    return [line for line in text.split(b"\r\n") if line.startswith((b"HTTP/", b"X-"))]


@pytest.mark.parametrize("session", [[], ["--private", "--max-redirs", "5"]])
def test_the_heads_of_redirects_come_first(
    watchword: Command, moved: str, session: list[str], tmp_path: Path
) -> None:
    """As with curl: every head that led to the result."""
    done = watchword("fetch", "-L", "-D", f"{tmp_path}/heads", *session, moved)
    assert (done.returncode, done.stdout) == (OK, b"the body")
    heads = (tmp_path / "heads").read_bytes()
    assert lines_of_heads(heads) == HEADS
    assert b"Set-Cookie: k=v\r\n" in heads
    done = watchword("fetch", "-L", "-i", *session, moved)
    assert lines_of_heads(done.stdout) == HEADS
    assert done.stdout.endswith(b"\r\n\r\nthe body")
    done = watchword("fetch", "-L", "-i", "-o", f"{tmp_path}/body", moved)
    assert lines_of_heads((tmp_path / "body").read_bytes()) == HEADS
    assert lines_of_heads(watchword("fetch", "-L", "-I", moved).stdout) == HEADS
    assert watchword("fetch", "-L", "-v", moved).stderr.count(b"\n< X-Name: ") == 3
    assert lines_of_heads(watchword("fetch", "-i", moved).stdout) == HEADS[:2], "without -L it is the result"


def test_the_head_of_a_redirect_is_there_when_the_fetch_fails(
    watchword: Command, origin: ScriptedOrigin, tmp_path: Path
) -> None:
    url = origin.serve("/a", redirect("/a", headers=[("X-Name", "a")]))
    heads = tmp_path / "heads"
    options = ["--private", "--max-redirs", "1"]
    assert watchword("fetch", "-L", "-D", str(heads), *options, url).returncode == REDIRECTS
    assert lines_of_heads(heads.read_bytes()) == HEADS[:2]


def test_heads_come_before_the_body_on_standard_output(watchword: Command, origin: ScriptedOrigin) -> None:
    done = watchword("fetch", "-D", "-", origin.serve("/", reply(body=b"the body")))
    assert done.stdout.startswith(b"HTTP/1.1 200\r\n")
    assert done.stdout.endswith(b"\r\n\r\nthe body")


def test_cookies_are_written_as_curl_writes_them(
    watchword: Command, origin: ScriptedOrigin, tmp_path: Path
) -> None:
    fields = [
        ("Set-Cookie", "short=1"),
        ("Set-Cookie", "long=2; Max-Age=3600; Path=/deep; HttpOnly"),
    ]
    jar = tmp_path / "jar"
    jar.write_text("old")
    assert (
        watchword("fetch", "--private", "-c", str(jar), origin.serve("/", reply(headers=fields))).returncode
        == OK
    )
    assert jar.stat().st_mode & 0o777 == 0o600
    lines = sorted(line.split("\t") for line in jar.read_text().splitlines() if "\t" in line)
    assert lines[0][:4] == ["#HttpOnly_127.0.0.1", "FALSE", "/deep", "FALSE"]
    assert int(lines[0][4]) > 1_700_000_000
    assert lines[1] == ["127.0.0.1", "FALSE", "/", "FALSE", "0", "short", "1"]
    read = http.cookiejar.MozillaCookieJar(str(jar))
    read.load(ignore_discard=True, ignore_expires=True)
    assert {cookie.name for cookie in read} == {"short", "long"}
    assert [path.name for path in tmp_path.iterdir()] == ["jar"]
    assert watchword("fetch", "-c", f"{tmp_path}/no/jar", origin.url).returncode == OUTPUT


# Limits


@pytest.mark.parametrize("says_its_length", [True, False])
def test_a_body_that_is_too_large_is_not_kept(
    watchword: Command, origin: ScriptedOrigin, tmp_path: Path, says_its_length: bool
) -> None:
    body = binary(300_000)

    async def script(exchange: Exchange) -> None:
        if says_its_length:
            return await exchange.respond(200, [], body)
        head = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
        await exchange.send(head + body)
        await exchange.close()

    url = origin.serve("/", script)
    done = watchword("fetch", "--max-filesize", "100K", "-o", f"{tmp_path}/f", url)
    assert (done.returncode, "larger than the fetch allows" in complaint(done)) == (TOO_LARGE, True)
    if says_its_length:
        assert not (tmp_path / "f").exists()
    done = watchword("fetch", "--max-filesize", "1M", url)
    assert (done.returncode, done.stdout) == (OK, body)
    # The next URL is fetched over the same connection to the daemon.
    done = watchword("fetch", "--max-filesize", "100K", url, origin.serve("/small", reply(body=b"small")))
    assert (done.returncode, done.stdout[-5:]) == (OK, b"small")


def test_a_redirect_is_not_a_second_url(watchword: Command, origin: ScriptedOrigin) -> None:
    url = origin.serve("/from", redirect(origin.serve("/to", reply(body=b"there"))))
    assert watchword("fetch", "-L", url, url).stdout == b"therethere"
