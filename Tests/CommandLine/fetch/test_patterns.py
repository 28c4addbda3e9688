"""Patterns in URLs: `{one,two}` and `[1-3]`, as curl expands them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from CommandLine.conftest import PATIENCE, Command
from Support.fake_daemon import FakeDaemon


def fetched(daemon: FakeDaemon) -> list[str]:
    return [m["params"]["url"] for m in daemon.heard if m["method"] == "task/start"]


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("{a,b}", ["a", "b"]),
        ("[1-3]", ["1", "2", "3"]),
        ("[01-10:4]", ["01", "05", "09"]),
        ("[a-c]", ["a", "b", "c"]),
        ("{a,b}[1-2]", ["a1", "a2", "b1", "b2"]),
        ("{a,,b}", ["a", "", "b"]),
        ("{a}", ["a"]),
        ("[3-3]", ["3"]),
        (r"\{a\}\[1\]", ["{a}[1]"]),
        (r"{a\,b,c}", ["a,b", "c"]),
        (r"a\b", [r"a\b"]),
    ],
)
def test_a_pattern_stands_for_several_urls(
    watchword: Command, daemon: FakeDaemon, pattern: str, names: list[str]
) -> None:
    assert watchword("fetch", f"http://origin.test/{pattern}").returncode == 0
    assert fetched(daemon) == [f"http://origin.test/{name}" for name in names]


@pytest.mark.parametrize("url", ["http://[::1]:8/x", "http://[fe80::1%25eth0]/x", "http://[::1]/[1-1]"])
def test_the_brackets_of_an_address_are_no_pattern(watchword: Command, daemon: FakeDaemon, url: str) -> None:
    assert watchword("fetch", url).returncode == 0
    assert fetched(daemon) == [url.replace("[1-1]", "1")]


@pytest.mark.parametrize(
    "pattern",
    [
        "{}",
        "}",
        "]",
        "[",
        "[x",
        "{a",
        "{a,{b}}",
        "[3-1]",
        "[a-Z]",
        "[c-a]",
        "[1-2:0]",
        "[1-3:5]",
        "[a-]",
        "[1-3:]",
        "[1-99999999999999999999]",
        "[0-999999999999999999]",
        "[1-10001]",
        "[1-101][1-100]",
    ],
)
def test_what_is_no_pattern_is_a_wrong_command_line(
    watchword: Command, daemon: FakeDaemon, pattern: str
) -> None:
    done = watchword("fetch", f"http://origin.test/{pattern}")
    assert (done.returncode, daemon.heard) == (2, [])
    assert watchword("fetch", "-g", f"http://origin.test/{pattern}").returncode == 0
    assert fetched(daemon) == [f"http://origin.test/{pattern}"]


def test_a_file_is_named_by_the_choices(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    url = "http://origin.test/{a,b}/[1-2]"
    assert watchword("fetch", "-o", "#2-#1-#3-#", url, directory=tmp_path).returncode == 0
    names = {file.name for file in tmp_path.iterdir()}
    assert names == {"1-a-#3-#", "2-a-#3-#", "1-b-#3-#", "2-b-#3-#"}
    literal = watchword("fetch", "-g", "-o", "#1", "http://origin.test/x", directory=tmp_path)
    assert (literal.returncode, (tmp_path / "#1").read_bytes()) == (0, b"hello\n")


def test_every_url_of_a_pattern_has_the_body(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("text")
    form = ("-F", "f=@f")
    few = ["sh", "-c", 'ulimit -n 24 && exec "$@"', "sh", str(watchword.program)]
    done = subprocess.run(
        [*few, "fetch", *form, "http://origin.test/[1-40]"],
        env=watchword.environment,
        cwd=tmp_path,
        capture_output=True,
        timeout=PATIENCE,
    )
    assert (done.returncode, len(fetched(daemon))) == (0, 40), done.stderr
    for body in (("-d", "@-"), ("--data-binary", "@-"), ("-F", "f=@-")):
        done = watchword("fetch", *body, "http://origin.test/[1-2]", send=b"x")
        # What -d reads, it reads once for all.
        assert done.returncode == (0 if body[0] == "-d" else 2)
