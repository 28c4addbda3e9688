"""72 lines as people paste them from documents of APIs: curl and the command, side by side."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from Integration.command_line.scene import USAGE
from Integration.command_line.side_by_side import Run

Both = Callable[..., tuple[Run, Run]]

ALIKE = r"""
curl -L -H "Accept: application/vnd.github+json" -H "X-GitHub-Api-Version: 2022-11-28" HOST/api/repos/o/r
curl -s HOST/api/repos/o/r/releases/latest
curl -X POST -H "Accept: application/json" HOST/api/repos/o/r/issues -d '{"title":"x","labels":["bug"]}'
curl -i HOST/f
curl -I HOST/f
curl --request GET --url "HOST/api/user" --header "Accept: application/json"
curl -H "Authorization: Bearer abc123" HOST/api/user
curl -s -o /dev/null -w "%{http_code}\n" HOST/no
curl -LO HOST/asset
curl -L -o r.tar.gz HOST/asset
curl -OJL HOST/asset
curl -fsSL -o install.sh HOST/f
curl --proto '=https' --tlsv1.2 -sSf HOST/f
curl --proto '=http,https' -sSf HOST/f
curl -X GET "HOST/api/_cat/health?v=true&pretty"
curl -X PUT "HOST/api/index?pretty"
curl -XPOST "HOST/api/_bulk" -H 'Content-Type: application/x-ndjson' --data-binary @q3.csv
curl -X GET HOST/api/_search -H 'Content-Type: application/json' -d '{"query":{"match_all":{}}}'
curl -XDELETE "HOST/api/index"
curl "HOST/api/_cat/{indices,nodes}?v"
curl -g 'HOST/api/items?filter[name]=x&page[size]=2'
curl -X POST HOST/api/job/x/build --data-urlencode json='{"parameter": [{"name":"n"}]}'
curl -X POST "HOST/api/job/x/build?token=abc&cause=me"
curl -s -c jar2 HOST/login
curl -s -b jar -c jar -L HOST/login
curl -s -b jar HOST/api/crumb
curl -c - HOST/login
curl -F file0=@q3.csv -F json='{"x":1}' HOST/api/job/x/build
curl -g "HOST/api/json?tree=jobs[name,color]"
curl -T q3.csv HOST/folder/libs/
curl -T q3.csv -H "X-Checksum-Sha1: 0a1b" HOST/folder/libs/q3.csv
curl -X PUT --data-binary @q3.csv HOST/folder/x
curl -O HOST/f
curl --create-dirs -o a HOST/f
curl -C - -O HOST/f
curl -z "1 Jan 2020" -o old HOST/old
curl -z "1 Jan 1990" -o old HOST/old
curl -R -O HOST/old
curl -H 'If-None-Match: "x"' -o up.txt HOST/same
curl -H "X-Vault-Token: s.abc" HOST/api/v1/secret/data/x
curl --request LIST HOST/api/v1/secret/metadata
curl --header "X-Vault-Request: true" --request POST --data '{"type":"kv"}' HOST/api/v1/sys/mounts/x
curl --data @page.html HOST/api/v1/x
curl -X PROPFIND -H "Depth: 1" --data '<propfind/>' HOST/folder/
curl -X MKCOL HOST/folder/new/
curl -X MOVE -H "Destination: /folder/b" HOST/folder/a
curl -X COPY -H "Destination: /folder/b" -H "Overwrite: F" HOST/folder/a
curl -T up.txt -X PUT HOST/folder/up.txt
curl -b "a=b; c=d" HOST/api/me
curl -b '' -L HOST/deep/r
curl -d a=b -d c=d HOST/api/form
curl -G -d q=x -d page=2 HOST/api/search
curl --json '{"a":1}' HOST/api/x
curl --data-raw '@x&y' HOST/api/x
curl -F "image=@q3.csv;type=image/png" -F name=x HOST/api/upload
curl -H 'Content-Type: application/json' -X PATCH --data '{}' HOST/api/x
curl --url-query "q=a b" HOST/api/search
curl -K curlrc HOST/api/x
curl -X OPTIONS -i -H "Origin: http://x.test" HOST/f
curl -e http://referer.test/ -A "me/1" HOST/f
curl -m 10 --connect-timeout 5 --retry 3 --compressed HOST/f
curl -x HOST http://name.test/f
curl -x http://127.0.0.1:1 HOST/f
curl -# -o f2 HOST/f
curl --limit-rate 1M HOST/f
curl "HOST/api/[1-3]" -o "part#1"
"""


@dataclass(frozen=True)
class Difference:
    """A line that is another thing here, and why."""

    line: str
    reason: str
    curl: int
    command: int
    #: In the message of the command.
    said: str = ""


DIFFERENT = [
    Difference(
        "curl -u me:sentence HOST/api/x",
        "a password in arguments is readable by all",
        0,
        USAGE,
        "--password-fd 3",
    ),
    Difference(
        "curl http://me:sentence@127.0.0.1:PORT/f", "the same of a URL", 0, USAGE, "watchword credentials set"
    ),
    Difference("curl -k HOST/f", "trust is loosened for a reason only", 0, USAGE, "--because"),
    Difference("curl -g 'HOST/f?q={\"a\":1}'", "what no URL may have is sent as %7B, %22 and %7D", 0, 0),
    Difference("curl -r 0-3 HOST/f", "a range is of what is stored: Accept-Encoding says so", 0, 0),
    Difference(
        "curl 'HOST/f?q={\"a\":[1]}'", "a wrong pattern is a wrong command line", 3, USAGE, "-g takes"
    ),
]


def lines() -> list[str]:
    return ALIKE.strip().splitlines()


def arguments(line: str) -> list[str]:
    program, *words = shlex.split(line)
    assert program == "curl"
    return words


def test_there_are_72_of_them_and_66_are_alike() -> None:
    assert len({*lines(), *(one.line for one in DIFFERENT)}) == 72
    assert len(lines()) == 66


@pytest.mark.parametrize("line", lines())
def test_a_pasted_line_does_what_curl_does(both: Both, line: str) -> None:
    curl, command = both(arguments(line), b"from standard input")
    assert command == curl, command.errors


@pytest.mark.parametrize("difference", DIFFERENT, ids=lambda difference: difference.line)
def test_a_difference_is_the_one_that_is_listed(both: Both, difference: Difference) -> None:
    curl, command = both(arguments(difference.line), b"")
    assert command != curl, "they are alike now: the line belongs above"
    assert (curl.code, command.code) == (difference.curl, difference.command), command.errors
    assert difference.said in command.errors and difference.reason
