"""curl and the command against one server: the same requests, output, files and exit code."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.command_line.scene import Command
from Integration.command_line.side_by_side import Run
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reply

W = "%{http_code} %{url} %{url_effective} [%{redirect_url}] %{num_redirects} %{size_download} %{method}\\t"


@pytest.mark.parametrize(
    "arguments",
    [
        # Forms.
        ["-F", "a=b", "-F", "f=@q3.csv", "HOST/f"],
        ["-F", "f=@q3.csv;type=text/plain;filename=n.txt", "HOST/f"],
        ["-F", 'f=@"q3.csv";type=a/b', "-F", "g=@page.html", "-F", "h=@up.txt", "HOST/f"],
        ["-F", "f=<up.txt", "-F", "g=<up.txt;type=text/markdown", "-F", "h=<-", "HOST/f"],
        ["-F", "f=@-", "HOST/f"],
        ["-F", "f=@-;filename=q", "-X", "PUT", "HOST/f"],
        ["-F", "a=b;type=text/html", "-F", 'c="x;y"', "-F", 'd e"f=g', "-F", "ü=ö", "HOST/f"],
        ["--form-string", "a=@b;type=x", "HOST/f"],
        ["-F", "f=@missing", "HOST/f"],
        # Uploads.
        ["-T", "up.txt", "HOST/f"],
        ["-T", "up.txt", "HOST/folder/"],
        ["-T", "-", "HOST/f"],
        ["-T", ".", "-X", "POST", "HOST/f"],
        ["-T", "missing", "HOST/f"],
        ["-T", "{up.txt,q3.csv}", "HOST/folder/"],
        ["-T", "{up.txt,q3.csv}", "HOST/folder/{a,b}/"],
        ["-T", "up.txt", "-T", "q3.csv", "HOST/folder/a", "HOST/folder/b"],
        ["-T", "up.txt", "HOST/folder/a", "HOST/f"],
        ["-T", "-", "HOST/folder/a", "HOST/f"],
        ["-g", "-T", "{up.txt,q3.csv}", "HOST/folder/"],
        ["-T", "{missing,up.txt}", "HOST/folder/"],
        # Several at once.
        ["-Z", "HOST/api/{a,b,c}", "-o", "part#1"],
        ["-Z", "--parallel-max", "2", "HOST/api/[1-7]", "-o", "part#1"],
        ["-Z", "-T", "{up.txt,q3.csv}", "HOST/folder/"],
        ["-Z", "--retry", "1", "-o", "a", "HOST/busy"],
        ["--fail-early", "-f", "HOST/no", "HOST/f"],
        # Addresses and speed.
        ["-4", "HOST/f"],
        ["-6", "HOST/f"],
        ["--limit-rate", "2k", "HOST/f"],
        ["--limit-rate", "1G", "-T", "up.txt", "HOST/folder/"],
        ["--limit-rate", "0", "HOST/f"],
        ["--fail-early", "HOST/no", "HOST/f"],
        ["--fail-early", "http://127.0.0.1:1/", "HOST/f"],
        # Outputs.
        ["-o", "a", "HOST/f", "-O", "HOST/g"],
        ["-o", "a", "HOST/f", "HOST/g"],
        ["-O", "HOST/f?x=1"],
        ["-f", "-o", "a", "HOST/no"],
        ["-o", "a", "http://127.0.0.1:1/", "-o", "b", "HOST/f"],
        ["-o", "a", "HOST/f", "http://127.0.0.1:1/"],
        # Heads.
        ["-i", "HOST/f"],
        ["-L", "-i", "HOST/deep/r"],
        ["-L", "-I", "HOST/deep/r"],
        ["-L", "-D", "heads", "HOST/deep/r", "HOST/g"],
        ["-D", "-", "HOST/deep/r"],
        ["-I", "-D", "heads", "-o", "a", "HOST/f"],
        ["-f", "-i", "HOST/no"],
        ["-f", "-I", "HOST/no"],
        ["-f", "-D", "heads", "HOST/no"],
        # Texts.
        ["-o", "a", "-w", W, "HOST/f", "HOST/deep/r"],
        ["-L", "-o", "a", "-w", W, "HOST/deep/r"],
        ["-f", "-w", "%{http_code} %{url}\\n", "HOST/no"],
        ["-w", "@format", "HOST/f"],
        ["-w", "%{remote_ip} %{remote_port}\\n", "HOST/f"],
        ["-w", "%{remote_ip}\\n", "http://127.0.0.1:1/"],
        ["-w", "%%{http_code}\\n%", "HOST/f"],
        # Retries and limits.
        ["--retry", "1", "-o", "a", "HOST/busy"],
        ["--retry", "1", "--retry-delay", "0", "-o", "a", "HOST/no"],
        ["--retry", "1", "-o", "a", "http://127.0.0.1:1/"],
        ["--max-filesize", "4", "HOST/f"],
        ["--max-filesize", "5", "-o", "a", "HOST/f"],
        ["--max-filesize", "0", "HOST/f"],
        ["--max-filesize", "1k", "HOST/f"],
        # Proxies that are not there, and what they are not for.
        ["-x", "http://127.0.0.1:1", "HOST/f"],
        ["-x", "127.0.0.1:1", "--noproxy", "127.0.0.0/8", "HOST/f"],
        ["-x", "127.0.0.1:1", "--noproxy", "*", "HOST/f"],
        ["-x", "127.0.0.1:1", "--noproxy", "x, 127.0.0.1", "HOST/f"],
        ["-x", "127.0.0.1:1", "--noproxy", "0.0.1", "HOST/f"],
        ["-x", "127.0.0.1:1", "--noproxy", ".0.0.1,10.0.0.0/8", "HOST/f"],
        ["-x", "127.0.0.1:1", "--noproxy", "LocalHost", "http://localhost:PORT/f"],
        ["-x", "127.0.0.1:1", "--noproxy", "host,x.localhost", "http://localhost:PORT/f"],
        ["-x", "", "HOST/f"],
        ["-x", "HOST", "http://name.test/f"],
        ["--noproxy", "*", "HOST/f"],
        # As documents of APIs have them.
        ["-X", "PUT", "HOST/f", "-H", "Content-Type: application/json", "-d", '{"a": {"b": [1, 2]}}'],
        ["-XPOST", "HOST/f?pretty", "-H", "Content-Type: application/x-ndjson", "--data-binary", "@q3.csv"],
        [
            "-L",
            "-H",
            "Accept: application/vnd.github+json",
            "-H",
            "X-Api-Version: 2022-11-28",
            "HOST/f",
        ],
        ["-fsSL", "HOST/f"],
        ["-fsSL", "HOST/no"],
        ["-sS", "--fail-with-body", "HOST/no"],
        ["-N", "HOST/f"],
        ["--url", "HOST/f"],
        ["-XDELETE", "HOST/f"],
        ["-X", "PROPFIND", "-H", "Depth: 1", "HOST/f"],
        ["-X", "MKCOL", "HOST/folder/new/"],
        ["-T", "q3.csv", "-H", "X-Checksum-Sha1: 0", "HOST/folder/libs/q3.csv"],
        ["-b", "a=b; c=d", "HOST/f"],
        ["-e", "http://referer.test/", "-A", "me/1", "HOST/f"],
        ["--compressed", "HOST/f"],
        ["--data-urlencode", "a b", "--data-urlencode", "@q3.csv", "HOST/f"],
        ["-G", "-d", "q=a%20b", "--data-urlencode", "r=c d", "HOST/f"],
        ["-s", "-o", "/dev/null", "-w", "%{http_code}", "HOST/f"],
        ["-s", "-o", "/dev/null", "-w", "%{http_code}", "HOST/no"],
        ["--create-dirs", "-o", "a", "HOST/f"],
        ["-O", "--output-dir", ".", "HOST/f"],
        ["-m", "5", "--connect-timeout", "2", "HOST/f"],
        ["-I", "HOST/f"],
        ["--http1.1", "HOST/f"],
        ["--retry", "1", "--retry-all-errors", "--retry-delay", "0", "HOST/no"],
        ["--max-redirs", "0", "-L", "HOST/deep/r"],
        ["http://no-such-host.invalid/"],
        ["HOST/empty"],
        ["HOST/cut"],
    ],
    ids=" ".join,
)
def test_curl_and_the_command_do_the_same(both: Callable[..., tuple[Run, Run]], arguments: list[str]) -> None:
    curl, command = both(arguments, b"from standard input")
    assert command == curl


def test_the_callers_type_of_a_form_gets_its_boundary(watchword: Command, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply())
    assert watchword("fetch", "-H", "Content-Type: multipart/mixed", "-F", "a=b", url).returncode == 0
    field = origin.requests[0].header("Content-Type") or ""
    assert field.startswith("multipart/mixed; boundary=")
    assert origin.requests[0].body.decode().startswith("--" + field.partition("boundary=")[2])
