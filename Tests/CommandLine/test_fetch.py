"""What `watchword fetch` sends, where the body goes, and what the exit code says."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from CommandLine.conftest import Command
from CommandLine.fake_daemon import Conversation, FakeDaemon, Message, RefusedError, a_result

URL = "http://origin.test/a/name?q=1"


def test_a_plain_fetch_is_one_request(watchword: Command, daemon: FakeDaemon) -> None:
    done = watchword("fetch", URL)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"hello\n", b"")
    (request,) = daemon.heard
    assert request["method"] == "fetch"
    assert request["params"]["url"] == URL
    assert request["params"]["output"] == {"descriptor": 0}
    assert request["descriptors"] == 1


@pytest.mark.parametrize(
    ("arguments", "method", "headers", "body"),
    [
        ([], "GET", None, None),
        (["-X", "PURGE"], "PURGE", None, None),
        (["-XPURGE"], "PURGE", None, None),
        (["--request=PURGE"], "PURGE", None, None),
        (["-I"], "HEAD", None, None),
        (["-d", "a=1", "--data", "b=2"], "POST", "application/x-www-form-urlencoded", "a=1&b=2"),
        (["--data-raw", "@a"], "POST", "application/x-www-form-urlencoded", "@a"),
        (["--data-urlencode", "a=b c&d"], "POST", "application/x-www-form-urlencoded", "a=b%20c%26d"),
        (["--json", '{"a":1}'], "POST", "application/json", '{"a":1}'),
        (["-d", "a", "-H", "content-type: text/plain"], "POST", "text/plain", "a"),
        (["-d", "a", "-H", "Content-Type:"], "POST", None, "a"),
    ],
)
def test_method_and_body_follow_the_options(
    watchword: Command,
    daemon: FakeDaemon,
    arguments: list[str],
    method: str,
    headers: str | None,
    body: str | None,
) -> None:
    assert watchword("fetch", *arguments, URL).returncode == 0
    parameters = daemon.parameters("fetch")
    assert parameters["method"] == method
    types = [value for name, value in parameters.get("headers", []) if name.lower() == "content-type"]
    assert types == ([headers] if headers else [])
    assert parameters.get("body") == ({"text": body} if body is not None else None)


def test_headers_keep_their_order(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    (tmp_path / "fields").write_text("X-B: from file\r\nAuthorization: Bearer sentinel-1\n")
    done = watchword(
        "fetch", "-H", "X-A:  1", "-H", f"@{tmp_path}/fields", "-H", "X-A;", "-A", "me", "-r", "0-9", URL
    )
    assert done.stderr == b""
    assert daemon.parameters("fetch")["headers"] == [
        ["X-A", "1"],
        ["X-B", "from file"],
        ["Authorization", "Bearer sentinel-1"],
        ["X-A", ""],
        ["User-Agent", "me"],
        ["Range", "bytes=0-9"],
    ]


@pytest.mark.parametrize(
    ("arguments", "fields"),
    [
        (["-A", "x", "-A", "y"], [["User-Agent", "y"]]),
        (["-A", "x", "-A", "", "-e", "", "-r", ""], []),
        (["-A", "x", "-H", "user-agent: z"], [["user-agent", "z"]]),
        (["-H", "Referer:", "-e", "a"], []),
        (["-r", "0-1", "-r", "5-"], [["Range", "bytes=5-"]]),
        (["-b", "a=b", "-b", "c=d"], [["Cookie", "a=b; c=d"]]),
    ],
)
def test_an_option_for_a_field_means_what_it_means_to_curl(
    watchword: Command, daemon: FakeDaemon, arguments: list[str], fields: list[list[str]]
) -> None:
    assert watchword("fetch", *arguments, URL).returncode == 0
    assert daemon.parameters("fetch").get("headers", []) == fields


@pytest.mark.parametrize(
    ("name", "url", "sent"),
    [
        ("q3 a.csv", "http://origin.test/reports/", "http://origin.test/reports/q3%20a.csv"),
        ("q3.csv", "http://origin.test", "http://origin.test/q3.csv"),
        ("q3.csv", "origin.test/reports/?a=/b#c", "http://origin.test/reports/q3.csv?a=/b#c"),
        ("q3.csv", "http://origin.test/name?a/", "http://origin.test/name?a/"),
        (None, "http://origin.test/reports/", "http://origin.test/reports/"),
    ],
)
def test_an_upload_to_a_folder_goes_under_its_name(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path, name: str | None, url: str, sent: str
) -> None:
    path = tmp_path / (name or "unused")
    path.write_text("body")
    assert watchword("fetch", "-G", "-T", str(path) if name else "-", url, send=b"body").returncode == 0
    parameters = daemon.parameters("fetch")
    assert (parameters["method"], parameters["url"]) == ("PUT", sent)
    assert "body" in parameters


def test_data_can_go_into_the_url(watchword: Command, daemon: FakeDaemon) -> None:
    watchword("fetch", "-G", "-d", "a=1", "-d", "b=2", "http://origin.test/#top")
    assert daemon.parameters("fetch")["url"] == "http://origin.test/?a=1&b=2#top"
    assert daemon.parameters("fetch")["method"] == "GET"


def test_a_large_body_travels_beside_the_message(watchword: Command, daemon: FakeDaemon) -> None:
    bodies: list[bytes] = []

    def take(conversation: Conversation, message: Message) -> Message:
        number = conversation.descriptors[message["params"]["body"]["descriptor"]]
        bodies.append(os.read(number, 1 << 20))
        return conversation.deliver({**message, "params": {**message["params"], "output": "discard"}})

    daemon.fetch(take)
    large = "x" * 100_000
    assert watchword("fetch", "--data-raw", large, URL).returncode == 0
    assert bodies == [large.encode()]


def test_timeouts_and_codings_are_said(watchword: Command, daemon: FakeDaemon) -> None:
    watchword("fetch", "-m", "2.5", "--connect-timeout", "1", "--compressed", URL)
    parameters = daemon.parameters("fetch")
    assert parameters["timeouts"] == {"connectSeconds": 1, "resourceSeconds": 2.5}
    assert parameters.get("decodeContent", True) is True
    watchword("fetch", URL)
    assert daemon.parameters("fetch")["decodeContent"] is False
    watchword("fetch", "-m", "0", "--connect-timeout", "0", URL)
    assert "timeouts" not in daemon.parameters("fetch")
    for wrong in ("-1", "long", "nan", "inf", ""):
        assert watchword("fetch", "-m", wrong, URL).returncode == 2


def test_settings_of_a_session_make_a_private_one(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path
) -> None:
    (tmp_path / "ca.pem").write_text("-----BEGIN CERTIFICATE-----\n")
    (tmp_path / "lists.pem").write_text("-----BEGIN X509 CRL-----\n")
    watchword(
        *("fetch", "--cacert", f"{tmp_path}/ca.pem", "--resolve", "a.test:443:127.0.0.1"),
        *("--crlfile", f"{tmp_path}/lists.pem", "--cert-status", "--http1.1", "--max-redirs", "3", "-L", URL),
    )
    assert daemon.parameters("session/open") == {
        "configuration": {
            "redirects": {"limit": 3},
            "httpVersions": ["1.1"],
            "tls": {
                "roots": {"certificates": "-----BEGIN CERTIFICATE-----\n", "exclusive": True},
                "revocation": "stapleRequired",
                "revocationLists": "-----BEGIN X509 CRL-----\n",
            },
            "addresses": {"resolve": {"a.test:443": "127.0.0.1"}},
        }
    }
    assert daemon.parameters("fetch")["session"] == "p1-secret"


def test_a_private_session_follows_only_when_asked(watchword: Command, daemon: FakeDaemon) -> None:
    watchword("fetch", "--private", URL)
    assert daemon.parameters("session/open")["configuration"] == {}
    assert daemon.parameters("fetch")["followRedirects"] is False
    watchword("fetch", "--private", "-L", URL)
    assert "followRedirects" not in daemon.parameters("fetch")


@pytest.mark.parametrize("follow", [True, False])
def test_a_session_that_asks_is_told(watchword: Command, daemon: FakeDaemon, follow: bool) -> None:
    def redirect(conversation: Conversation, message: Message) -> Message:
        conversation.notify("task/willRedirect", task="t1", session="s", response={}, request={})
        line = conversation.read_line()
        assert line is not None
        reply = json.loads(line)
        daemon.heard.append(reply)
        conversation.say({"jsonrpc": "2.0", "id": reply["id"], "result": {"task": "t1"}})
        return conversation.deliver(message)

    daemon.fetch(redirect)
    assert watchword("fetch", "--session", "s", *(["-L"] if follow else []), URL).returncode == 0
    assert daemon.parameters("redirect/reply") == {"task": "t1", "request": {} if follow else None}


# Data


@pytest.mark.parametrize(
    ("data", "sent"),
    [
        ("a b", "a%20b"),
        ("=x=y", "x%3Dy"),
        ("a@b=c d", "a@b=c%20d"),
        ("@FILE", "a%20b%0A%26%FF"),
        ("name@FILE", "name=a%20b%0A%26%FF"),
        ("name@-", "name=%40"),
        ("", ""),
    ],
)
def test_data_is_percent_encoded_as_curl_does(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path, data: str, sent: str
) -> None:
    (tmp_path / "file").write_bytes(b"a b\n&\xff")
    data = data.replace("FILE", f"{tmp_path}/file")
    assert watchword("fetch", "--data-urlencode", data, URL, send=b"@").returncode == 0
    assert daemon.parameters("fetch")["body"] == {"text": sent}


def test_a_file_of_data_that_is_not_there_is_an_error(watchword: Command, daemon: FakeDaemon) -> None:
    done = watchword("fetch", "--data-urlencode", "name@/no/such", URL)
    assert (done.returncode, done.stdout, daemon.heard) == (1, b"", [])
    assert done.stderr.startswith(b"watchword: /no/such cannot be read: ")


# URLs


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("host/?next=http://u:p@x", "http://host/?next=http://u:p@x"),
        ("host:8080/http://u:p@x", "http://host:8080/http://u:p@x"),
        ("http://host/?next=http://u:p@x", "http://host/?next=http://u:p@x"),
        ("host?u:p@x", "http://host?u:p@x"),
        ("http://host/u:p@x#u:p@x", "http://host/u:p@x#u:p@x"),
        ("HTTPS://user@host/", "HTTPS://user@host/"),
    ],
)
def test_only_the_authority_of_a_url_holds_a_password(
    watchword: Command, daemon: FakeDaemon, text: str, url: str
) -> None:
    assert watchword("fetch", text).returncode == 0
    assert daemon.parameters("fetch")["url"] == url


@pytest.mark.parametrize(
    "url",
    [
        "http://user:sentinel-1@origin.test/",
        "user:sentinel-1@origin.test",
        "HTTP://user:sentinel-1@origin.test",
        "http:/user:sentinel-1@origin.test/",
        "http:///user:sentinel-1@origin.test/",
        "http://:sentinel-1@origin.test?x=://y",
    ],
)
@pytest.mark.parametrize(
    "command",
    ["fetch", "explain", "certificate", "credentials set", "credentials remove", "trust remove --origin"],
)
def test_a_password_in_a_url_is_refused(
    watchword: Command, daemon: FakeDaemon, command: str, url: str
) -> None:
    done = watchword(*command.split(), url)
    assert (done.returncode, done.stdout, daemon.heard) == (2, b"", [])
    assert done.stderr.startswith(b"watchword: a password in the URL ")
    assert b"sentinel" not in done.stderr


# A combining mark makes one character of itself and what is before it, but is no part of it

MARK = "\u0301"


@pytest.mark.parametrize(
    ("arguments", "url"),
    [
        (["-u", "reader", f"http://a.test/{MARK}@b.test/x"], f"http://a.test/{MARK}@b.test/x"),
        (["-u", "reader", f"http://u@{MARK}a.test/"], f"http://{MARK}a.test/"),
        (["-G", "-d", "q", f"http://a.test/?{MARK}#{MARK}"], f"http://a.test/?{MARK}&q#{MARK}"),
    ],
)
def test_a_url_is_taken_apart_by_bytes(
    watchword: Command, daemon: FakeDaemon, arguments: list[str], url: str
) -> None:
    assert watchword("fetch", *arguments).returncode == 0
    assert daemon.parameters("fetch")["url"] == url


@pytest.mark.parametrize(
    "arguments",
    [[f"http://u:{MARK}p@a.test/"], ["-u", f"u:{MARK}p", URL], ["-O", f"http://a.test/..{MARK}/"]],
)
def test_what_has_no_place_in_arguments_is_found_by_bytes(watchword: Command, arguments: list[str]) -> None:
    assert watchword("fetch", *arguments).returncode == 2


def test_a_file_never_goes_to_another_folder(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    assert watchword("fetch", "-O", f"http://a.test/../{MARK}x", directory=inner).returncode == 0
    assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == [f"{MARK}x"]
    assert (inner / f"{MARK}x").exists()


def test_fields_and_forms_are_taken_apart_by_bytes(watchword: Command, daemon: FakeDaemon) -> None:
    form = ["--data-urlencode", f"q={MARK}"]
    assert watchword("fetch", "-H", f"X-A:{MARK}", "-b", f"a={MARK}", *form, URL).returncode == 0
    parameters = daemon.parameters("fetch")
    assert parameters["body"] == {"text": "q=%CC%81"}
    assert ["X-A", MARK] in parameters["headers"] and ["Cookie", f"a={MARK}"] in parameters["headers"]


# Where the body goes


def test_a_file_is_written_by_the_daemon(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    done = watchword("fetch", "-o", f"{tmp_path}/out", URL)
    assert (done.returncode, done.stdout) == (0, b"")
    assert (tmp_path / "out").read_bytes() == b"hello\n"
    assert daemon.heard[-1]["method"] == "fetch"


def test_the_file_can_have_the_name_of_the_url(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path
) -> None:
    assert watchword("fetch", "-O", URL, directory=tmp_path).returncode == 0
    assert (tmp_path / "name").read_bytes() == b"hello\n"
    assert watchword("fetch", "-O", "http://origin.test/a/").returncode == 2


def test_a_file_that_holds_something_survives_a_failure(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path
) -> None:
    def refuse(conversation: Conversation, message: Message) -> Message:
        raise RefusedError("connectionFailed", 1302, "connection refused")

    out = tmp_path / "out"
    out.write_text("what was there before, and longer")
    daemon.fetch(refuse)
    assert watchword("fetch", "-o", str(out), URL).returncode == 1
    assert out.read_text() == "what was there before, and longer"
    assert watchword("fetch", "-o", f"{tmp_path}/new", URL).returncode == 1
    assert not (tmp_path / "new").exists()
    daemon.fetch(lambda conversation, message: conversation.deliver(message, b"hello\n"))
    assert watchword("fetch", "-o", str(out), URL).returncode == 0
    assert out.read_text() == "hello\n"


def test_a_refusal_whose_page_is_cut_says_so(watchword: Command, daemon: FakeDaemon) -> None:
    result = a_result(url=URL, status=401, body={"size": 5, "truncated": True})
    daemon.answers["fetch"] = lambda conversation, message: result
    said = b"watchword: the body is cut"
    assert said in watchword("fetch", "--no-ask", URL).stderr
    assert watchword("fetch", "--no-ask", "-s", URL).stderr == b""
    del result["body"]["truncated"]
    assert said not in watchword("fetch", "--no-ask", URL).stderr


def test_the_head_comes_before_the_body(watchword: Command, daemon: FakeDaemon) -> None:
    daemon.headers = [["X-A", "1"]]
    assert watchword("fetch", "-i", URL).stdout == b"HTTP/1.1 200\r\nX-A: 1\r\n\r\nhello\n"
    assert watchword("fetch", "-I", URL).stdout.startswith(b"HTTP/1.1 200\r\n")


def test_the_head_goes_where_the_output_goes(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_text("what was there before, and longer than what comes now, by far")
    done = watchword("fetch", "-i", "-o", str(out), URL)
    assert (done.returncode, done.stdout) == (0, b"")
    assert out.read_bytes().startswith(b"HTTP/1.1 200\r\n")
    assert out.read_bytes().endswith(b"\r\n\r\nhello\n")
    done = watchword("fetch", "-I", "-o", str(out), URL)
    assert (done.returncode, done.stdout) == (0, b"")
    assert out.read_bytes().startswith(b"HTTP/1.1 200\r\n")
    assert out.read_bytes().endswith(b"\r\n\r\n")
    assert watchword("fetch", "-I", "-o", "-", URL).stdout.startswith(b"HTTP/1.1 200\r\n")
    assert watchword("fetch", "-I", "-o", f"{tmp_path}/no/such", URL).returncode == 1


def test_a_long_body_shows_how_far_it_is(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    def slowly(conversation: Conversation, message: Message) -> Message:
        conversation.notify(
            "task/didReceiveResponse", **a_result(url=URL, headers=[["Content-Length", str(4 << 20)]])
        )
        for _ in range(2):
            line = conversation.read_line()
            assert line is not None
            request = json.loads(line)
            assert request["method"] == "task/describe"
            conversation.say({"jsonrpc": "2.0", "id": request["id"], "result": {"bytesReceived": 1 << 20}})
        return conversation.deliver({**message, "method": "fetch"}, b"hello\n")

    daemon.fetch(slowly)
    terminal = watchword.on_terminal("fetch", "-o", f"{tmp_path}/out", URL)
    terminal.read_until(b"1.0 MiB of 4.0 MiB, 25 %, ")
    assert terminal.end() == 0
    assert terminal.screen.endswith(b"\r\x1b[K")
    assert (tmp_path / "out").read_bytes() == b"hello\n"


def test_a_head_has_no_body(watchword: Command, daemon: FakeDaemon) -> None:
    for arguments in (["-I", "-d", "x"], ["-X", "HEAD", "-d", "x"], ["-I", "-T", "-"]):
        assert watchword("fetch", *arguments, URL).returncode == 2
    assert watchword("fetch", "-I", "-G", "-d", "x=1", URL).returncode == 0
    assert daemon.parameters("fetch")["url"].endswith("&x=1")


def test_fail_keeps_the_body_of_an_error(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    daemon.status = 503
    daemon.body = b"x" * 1_000_000
    done = watchword("fetch", "-f", "-o", f"{tmp_path}/out", URL)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"watchword: the server answered 503\n"
    assert not (tmp_path / "out").exists()
    assert watchword("fetch", "-sf", URL).stderr == b""
    assert watchword("fetch", "-sSf", URL).stderr == b"watchword: the server answered 503\n"
    daemon.status = 200
    assert watchword("fetch", "-f", URL).stdout == daemon.body


@pytest.mark.parametrize("status", [401, 407])
def test_a_refused_fetch_says_what_to_do(watchword: Command, daemon: FakeDaemon, status: int) -> None:
    daemon.status = status
    daemon.headers = [["WWW-Authenticate" if status == 401 else "Proxy-Authenticate", 'Basic realm="staff"']]
    done = watchword("fetch", "-f", URL)
    assert done.returncode == 3
    assert b"hint: " in done.stderr
    assert b"--askpass" in done.stderr


NOTHING = "nothing it offers can be answered: "


@pytest.mark.parametrize(
    ("fields", "text", "hint"),
    [
        (
            ["Negotiate", 'NTLM, Hawk id="a, Basic b", ts = 1'],
            NOTHING + "Negotiate, NTLM, Hawk\n",
            "this version",
        ),
        (["\x1b[2J"], NOTHING + "\\u{1b}[2J\n", "this version"),
        (
            ['Digest realm="r", nonce="n\\", x", algorithm=X', "Negotiate YII="],
            NOTHING + "Digest, Negotiate\n",
            "may",
        ),
        ([], "does not say which kind\n", "no WWW-Authenticate"),
    ],
)
def test_a_401_that_nobody_could_answer_is_explained(
    watchword: Command, daemon: FakeDaemon, fields: list[str], text: str, hint: str
) -> None:
    daemon.status = 401
    daemon.headers = [["WWW-Authenticate", field] for field in fields]
    terminal = watchword.on_terminal("fetch", URL)
    assert terminal.end() == 0
    shown = terminal.screen.decode().replace("\r\n", "\n")
    assert "watchword: the server wants a credential and " in shown
    assert text in shown and "\nhint: " in shown
    assert hint in shown.partition("hint: ")[2]
    done = watchword("fetch", "-f", "--askpass", "/bin/false", URL)
    assert (done.returncode, done.stdout) == (3, b"")
    assert text in done.stderr.decode()
    for options in (["-s"], ["-sf"], ["-H", "Authorization: Bearer t"]):
        assert text not in watchword("fetch", *options, URL).stderr.decode()
    verbose = watchword("fetch", "-v", "--askpass", "/bin/false", URL)
    assert text in verbose.stderr.decode()
    quiet = watchword("fetch", "--askpass", "/bin/false", URL)
    assert (quiet.returncode, quiet.stderr) == (0, b"")


def test_a_refusal_of_an_answer_is_not_explained(
    watchword: Command, daemon: FakeDaemon, askpass: Callable[..., str]
) -> None:
    def refuse(conversation: Conversation, message: Message) -> Message:
        conversation.ask()
        return conversation.deliver(message, b"no", 401, headers=[["WWW-Authenticate", "Basic"]])

    daemon.fetch(refuse)
    done = watchword("fetch", "-f", "-u", "reader", "--askpass", askpass("sentinel-1"), URL)
    assert (done.returncode, done.stderr) == (3, b"watchword: the server answered 401\n")


def test_a_cut_off_file_is_completed(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    out = tmp_path / "out"
    daemon.headers = [["ETag", '"v1"']]
    daemon.body = b"the first half"
    watchword("fetch", "-C", "-", "-o", str(out), URL)
    assert "headers" not in daemon.parameters("task/start")
    if not os.listxattr(out):
        pytest.skip("no extended attributes here")
    daemon.status = 206
    daemon.headers = [["ETag", '"v1"'], ["Content-Range", "bytes 14-20/21"]]
    daemon.body = b" of two"
    assert watchword("fetch", "-C", "-", "-o", str(out), URL).returncode == 0
    assert daemon.parameters("task/start")["headers"] == [["Range", "bytes=14-"], ["If-Range", '"v1"']]
    assert out.read_bytes() == b"the first half of two"
    for status, tag, code in ((416, '"v1"', 0), (416, None, 0), (416, '"v2"', 1), (404, None, 1)):
        daemon.status = status
        daemon.headers = [["Content-Range", "bytes */21"], *([["ETag", tag]] if tag else [])]
        daemon.body = b"an error page"
        assert watchword("fetch", "-C", "-", "-o", str(out), URL).returncode == code
        assert out.read_bytes() == b"the first half of two"
    daemon.status = 200
    daemon.headers = [["ETag", '"v2"']]
    daemon.body = b"another version"
    watchword("fetch", "-C", "-", "-o", str(out), URL)
    assert out.read_bytes() == b"another version"


def test_a_part_that_was_not_asked_for_is_refused(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    daemon.headers = [["ETag", '"v1"']]
    watchword("fetch", "-C", "-", "-o", str(out), URL)
    if not os.listxattr(out):
        pytest.skip("no extended attributes here")
    daemon.status = 206
    for headers in (
        [["Content-Range", "bytes 2-5/6"]],
        [["Content-Range", "bytes 6-11/12"], ["ETag", '"v2"']],
    ):
        daemon.headers = headers
        assert watchword("fetch", "-C", "-", "-o", str(out), URL).returncode == 1
        assert out.read_bytes() == b"hello\n"


def test_a_reader_that_leaves_ends_it_quietly(watchword: Command, daemon: FakeDaemon) -> None:
    def pour(conversation: Conversation, message: Message) -> Message:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGPIPE])
        try:
            return conversation.deliver(message, b"x" * 1_000_000)
        except BrokenPipeError:
            raise RefusedError("outputFailed", 1108, "output failed") from None

    daemon.fetch(pour)
    for arguments in ([], ["-i"]):
        process = watchword.start("fetch", *arguments, URL)
        assert process.stdout is not None and process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        daemon.body = b"x" * 1_000_000
        assert process.wait(20) == -signal.SIGPIPE
        assert process.stderr.read() == b""
        process.stderr.close()


# What is said


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("userCancelledAuthentication", 3),
        ("serverNotAuthenticated", 3),
        ("serverTrustRejected", 4),
        ("connectionFailed", 1),
        ("invalidParams", 2),
        ("somethingNew", 1),
    ],
)
def test_errors_have_their_exit_codes(watchword: Command, daemon: FakeDaemon, kind: str, code: int) -> None:
    def refuse(conversation: Conversation, message: Message) -> Message:
        raise RefusedError(kind, message="no\x1b[31m way")

    daemon.fetch(refuse)
    done = watchword("fetch", URL)
    assert (done.returncode, done.stdout) == (code, b"")
    assert done.stderr.startswith(b"watchword: no\\u{1b}[31m way\n")


def test_a_daemon_that_goes_away_is_a_failure(watchword: Command, daemon: FakeDaemon) -> None:
    def leave(conversation: Conversation, message: Message) -> Message:
        conversation.connection.shutdown(2)
        return {}

    daemon.fetch(leave)
    done = watchword("fetch", URL)
    assert done.returncode == 1
    assert done.stderr.startswith(b"watchword: the daemon closed the connection\nhint: the next command ")


def test_a_daemon_that_speaks_something_else_is_a_failure(watchword: Command, daemon: FakeDaemon) -> None:
    def babble(conversation: Conversation, message: Message) -> Message:
        conversation.connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        return {}

    daemon.fetch(babble)
    assert watchword("fetch", URL).returncode == 1


def test_write_out_prints_curls_variables(watchword: Command, daemon: FakeDaemon) -> None:
    form = "%{http_code} %{content_type} %{size_download} %{time_total} %{num_redirects} 100%%\\n"
    assert watchword("fetch", "-w", form, URL).stdout == b"hello\n200 text/plain 6 0.004000 0 100%\n"
    shown = watchword("fetch", "-o", "/dev/null", "-w", "%{json}", URL).stdout
    assert json.loads(shown)["status"] == 200


def test_write_out_reads_its_format_from_a_file_and_names_what_it_does_not_know(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path
) -> None:
    (tmp_path / "format").write_text("%{method} %{url} %{nope}.\n")
    arguments = ("fetch", "-o", "/dev/null", "-w", f"@{tmp_path}/format", "http://me@origin.test/")
    done = watchword(*arguments)
    assert done.stdout == b"GET http://origin.test/ .\n"
    assert done.stderr == b"hint: -w knows no %{nope}\n"
    assert watchword(*arguments, "-s").stderr == b""
    assert watchword("fetch", "-w", "@/no/such", URL).returncode == 1


def test_write_out_tells_of_a_failure(watchword: Command, daemon: FakeDaemon) -> None:
    def refuse(conversation: Conversation, message: Message) -> Message:
        raise RefusedError("connectionFailed", 1302, "connection refused")

    daemon.fetch(refuse)
    for options in ([], ["-f"]):
        done = watchword("fetch", *options, "-w", "%{http_code} %{url_effective}", URL)
        assert (done.returncode, done.stdout) == (1, f"000 {URL}".encode())
    daemon.fetch(lambda conversation, message: conversation.deliver(message, b"no", 404))
    done = watchword("fetch", "-f", "-w", "%{http_code}", URL)
    assert (done.returncode, done.stdout) == (1, b"404")


def test_the_help_names_what_write_out_knows(watchword: Command, daemon: FakeDaemon) -> None:
    text = " ".join(watchword("help", "fetch").stdout.decode().split())
    listed = text.partition("of curl's variables ")[2].partition(". Secrets")[0]
    names = listed.replace("time_namelookup, _", "time_namelookup, time_").replace(", _", ", time_")
    names = names.replace(" and _", ", time_").replace(" and ", ", ")
    for name in names.split(", "):
        done = watchword("fetch", "-o", "/dev/null", "-w", f"%{{{name}}}", URL)
        assert (done.returncode, done.stderr) == (0, b""), name
    assert {"http_code", "url_effective", "size_download", "time_total"} <= set(names.split(", "))


def test_verbose_shows_heads_and_no_secret(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    daemon.headers = [["Set-Cookie", "sentinel-1"], ["X-A", "\x1b[31m"]]
    (tmp_path / "fields").write_text("Authorization: sentinel-2\nCookie: sentinel-3\n")
    done = watchword("fetch", "-v", "-H", f"@{tmp_path}/fields", "http://me@origin.test/")
    assert b"> GET http://origin.test/\n" in done.stderr
    assert b"< HTTP/1.1 200\n" in done.stderr
    assert b"X-A: \\u{1b}[31m" in done.stderr
    assert b"sentinel" not in done.stderr


def test_metrics_are_json(watchword: Command, daemon: FakeDaemon) -> None:
    assert json.loads(watchword("fetch", "--metrics", URL).stderr)["totalSeconds"] == 0.004


@pytest.mark.parametrize(
    "arguments",
    [
        ["-u", "user:sentinel-1", URL],
        ["-u", "", URL],
        ["-H", "Accept:", URL],
        ["-H", "host: ", URL],
        ["-m", "soon", URL],
        ["-H", "no colon", URL],
        ["--session", "s", "--private", URL],
        ["-C", "100", "-o", "f", URL],
        ["-C", "-", URL],
        ["--resolve", "a", URL],
        ["-T", "/etc/hostname", "-d", "x", URL],
        ["-d", "x", "-T", "/etc/hostname", URL],
        [URL, URL],
        ["-o"],
        ["--fail=1", URL],
        ["-q", URL],
    ],
)
def test_a_wrong_command_line_sends_nothing(
    watchword: Command, daemon: FakeDaemon, arguments: list[str]
) -> None:
    done = watchword("fetch", *arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"watchword: ")
    assert b"sentinel" not in done.stderr
    assert daemon.heard == []


def test_a_secret_header_in_the_arguments_is_pointed_out(watchword: Command, daemon: FakeDaemon) -> None:
    done = watchword("fetch", "-H", "Authorization: Bearer sentinel-1", URL)
    assert done.returncode == 0
    assert done.stderr.startswith(b"hint: ")
    assert b"sentinel" not in done.stderr
