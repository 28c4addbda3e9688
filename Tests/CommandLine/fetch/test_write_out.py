"""`--write-out`, `--verbose` and `--metrics`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from CommandLine.conftest import Command
from Support.fake_daemon import Conversation, FakeDaemon, Message, RefusedError

URL = "http://origin.test/a/name?q=1"


def test_write_out_prints_curls_variables(watchword: Command, daemon: FakeDaemon) -> None:
    form = "%{http_code} %{content_type} %{size_download} %{time_total} %{num_redirects} 100%%\\n"
    assert watchword("fetch", "-w", form, URL).stdout == b"hello\n200 text/plain 6 0.004000 0 100%\n"
    shown = json.loads(watchword("fetch", "-o", "/dev/null", "-w", "%{json}", URL).stdout)
    assert (shown["status"], shown["metrics"]["totalSeconds"]) == (200, 0.004)


def test_write_out_reads_its_format_from_a_file_and_names_what_it_does_not_know(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path
) -> None:
    (tmp_path / "format").write_text("%{method} %{url} %{nope}.\n")
    arguments = ("fetch", "-o", "/dev/null", "-w", f"@{tmp_path}/format", "http://me@origin.test/")
    done = watchword(*arguments)
    assert done.stdout == b"GET http://origin.test/ .", "as with curl, without the ends of lines"
    assert done.stderr == b"watchword: warning: -w knows no %{nope}\n"
    assert watchword(*arguments, "-s").stderr == b""
    assert watchword("fetch", "-w", "@/no/such", URL).returncode == 26


def test_write_out_prints_fields_and_more_of_curls_variables(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path
) -> None:
    daemon.headers = [["X-A", "one"], ["x-a", 'two"'], ["X-B", "three"]]
    form = (
        "%header{x-A}|%header{none}|%{num_headers}|%{scheme}|%{urlnum}|%{size_upload}|%{exitcode}|%{errormsg}"
    )
    done = watchword("fetch", "-o", str(tmp_path / "f"), "-d", "abc", "-w", f"{form}\\n", URL, URL)
    line = 'two"||3|HTTP|{}|3|0|\n'
    assert done.stdout.decode() == line.format(0) + "hello\n" + line.format(1)
    shown = watchword("fetch", "-o", "/dev/null", "-w", "%{header_json}", URL).stdout.decode()
    assert shown == '{"x-a":["one","two\\""],\n"x-b":["three"]\n}'
    form = "%{speed_download} %{num_connects} %{time_redirect} %{time_pretransfer} %{ssl_verify_result}"
    assert watchword("fetch", "-o", "/dev/null", "-w", form, URL).stdout == b"1500 0 0.000000 0.002000 0"
    done = watchword("fetch", "-o", "/dev/null", "-w", "a%{stderr}b%{stdout}c%{onerror}d%header{x%{", URL)
    assert (done.stdout, done.stderr) == (b"ac", b"b")


def test_write_out_tells_of_a_failure(watchword: Command, daemon: FakeDaemon) -> None:
    def refuse(conversation: Conversation, message: Message) -> Message:
        raise RefusedError("connectionFailed", 1302, "connection refused")

    daemon.fetch(refuse)
    for options in ([], ["-f"]):
        done = watchword("fetch", *options, "-w", "%{http_code} %{url_effective}", URL)
        assert (done.returncode, done.stdout) == (7, f"000 {URL}".encode())
    daemon.fetch(lambda conversation, message: conversation.deliver(message, b"no", 404))
    done = watchword("fetch", "-f", "-w", "%{http_code}", URL)
    assert (done.returncode, done.stdout) == (22, b"404")
    form = "%{exitcode} %{errormsg}%{onerror}; failed"
    done = watchword("fetch", "-f", "-w", form, URL)
    assert done.stdout == b"22 the server answered 404; failed"
    daemon.fetch(refuse)
    assert watchword("fetch", "-w", form, URL).stdout == b"7 connection refused; failed"


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
    daemon.headers = [["Set-Cookie", "sentinel-1"], ["X-A", "\x1b[31m"], ["X-Subject-Token", "sentinel-4"]]
    fields = "Authorization: sentinel-2\nCookie: sentinel-3\nPrivate-Token: sentinel-5\n"
    (tmp_path / "fields").write_text(fields)
    done = watchword("fetch", "-v", "-H", f"@{tmp_path}/fields", "http://me@origin.test/")
    assert b"> GET http://origin.test/\n" in done.stderr
    assert b"< HTTP/1.1 200\n" in done.stderr
    assert b"X-A: \\u{1b}[31m" in done.stderr
    assert b"sentinel" not in done.stderr


def test_verbose_shows_connections_and_what_was_sent(watchword: Command, daemon: FakeDaemon) -> None:
    """All of it is escaped: the server has chosen some of it."""
    names = {"subject": "CN=\x1b[31m", "issuer": "CN=root\u202e", "subjectAlternativeNames": []}
    times = {"notBefore": "2026-01-01T00:00:00Z", "notAfter": "2027-01-01T00:00:00Z"}
    key = {
        "serialNumber": "1",
        "sha256": "0",
        "pem": "x",
        "publicKey": "sha256/x",
        "keyType": "ec",
        "keyBits": 256,
    }
    certificate = {**names, **times, **key}
    # The daemon does not know that the last one is a secret.
    sent = [["Host", "a.test"], ["Authorization", "Basic <secret>"], ["X-A", "\x1b[32m"]]
    sent.append(["X-Api-Key", "sentinel"])
    details = {
        **{"remoteAddress": "[::1]:443", "isProxyConnection": False, "reused": False, "tlsVersion": "1.3"},
        **{"cipherSuite": "TLS_AES_256_GCM_SHA384", "certificate": certificate},
        "requests": [{"line": "GET /a HTTP/2", "headers": sent}],
    }
    head = {"hop": "origin", "url": "https://a.test/a", "status": 401, "protocol": "h2", "headers": []}

    def script(conversation: Conversation, message: Message) -> Message:
        names = {"task": "t1", "session": "s"}
        conversation.notify("task/didReceiveHead", {**names, **head, "details": details})
        again = {**details, "reused": True, "requests": [{"line": "GET /b HTTP/2", "headers": []}]}
        conversation.notify("task/didReceiveHead", {**names, **head, "details": again})
        return conversation.deliver(message)

    daemon.fetch(script)
    done = watchword("fetch", "-v", "-H", "X-Mine: v", "https://a.test/a")
    shown = done.stderr.decode().splitlines()
    assert shown[:18] == [
        "* request GET https://a.test/a",
        "* connected to https://a.test ([::1]:443)",
        "* TLS 1.3, TLS_AES_256_GCM_SHA384",
        "* certificate of CN=\\u{1b}[31m, until 2027-01-01T00:00:00Z",
        "* certificate issued by CN=root\\u{202e}",
        "> GET /a HTTP/2",
        "> Host: a.test",
        "> Authorization: Basic <secret>",
        "> X-A: \\u{1b}[32m",
        "> X-Api-Key: <secret>",
        "> ",
        "< HTTP/2 401",
        "< ",
        "* open connection to https://a.test ([::1]:443)",
        "> GET /b HTTP/2",
        "> ",
        "< HTTP/2 401",
        "< ",
    ]
    assert not [line for line in shown if "X-Mine" in line], "what the daemon sent was shown instead"


def test_metrics_are_json(watchword: Command, daemon: FakeDaemon) -> None:
    assert json.loads(watchword("fetch", "--metrics", URL).stderr)["totalSeconds"] == 0.004


@pytest.mark.parametrize(
    ("options", "are_asked_for"),
    [
        ([], False),
        (["-i", "-D", "/dev/null"], False),
        (["-I"], False),
        (["-w", "%{http_code} %{url_effective} %{num_redirects}"], False),
        (["-w", "%{http_version}"], True),
        (["-w", "%{time_namelookup}"], True),
        (["-w", "%{json}"], True),
        (["-w", "%{remote_ip}"], True),
        (["-v"], True),
        (["--metrics"], True),
    ],
)
def test_metrics_are_asked_for_when_they_are_printed(
    watchword: Command, daemon: FakeDaemon, options: list[str], are_asked_for: bool
) -> None:
    assert watchword("fetch", *options, URL).returncode == 0
    (parameters,) = [message["params"] for message in daemon.heard if message["method"] == "task/start"]
    assert parameters.get("metrics", False) is are_asked_for
    assert parameters.get("exchangeDetails", False) is ("-v" in options or "%{remote_ip}" in options)


def test_a_part_of_the_text_goes_into_a_file(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    text = "a%output{new}%{http_code}\\n%output{>>log}%{urlnum}\\n%{stderr}e%{stdout}b%output{no/such}c"
    (tmp_path / "new").write_text("what was there before")
    for _ in range(2):
        done = watchword("fetch", "-w", text, URL, directory=tmp_path)
        assert (done.returncode, done.stdout) == (0, b"hello\nab")
        assert done.stderr.startswith(b"ewatchword: warning: -w: no/such cannot be written")
    assert (tmp_path / "new").read_text() == "200\n"
    assert (tmp_path / "log").read_text() == "0\n0\n"
