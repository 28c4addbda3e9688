"""`-b FILE`: cookies that a session begins with."""

from __future__ import annotations

from pathlib import Path

from CommandLine.conftest import Command
from Support.fake_daemon import FakeDaemon, Message

URL = "http://origin.test/a/name"
FILE = """# Netscape HTTP Cookie File
origin.test\tFALSE\t/\tFALSE\t0\tplain\tvalue
.origin.test\tTRUE\t/a\tTRUE\t4000000000\twide\tv 2
#HttpOnly_origin.test\tFALSE\t/\tFALSE\t0\thidden\t
origin.test\tFALSE\t/\tFALSE\t1\texpired\tx
origin.test\tFALSE\t/\tFALSE\tx\tbad\tx
origin.test\tFALSE\t/\tFALSE\t0\ta b\tx
not a cookie
"""


def cookies(daemon: FakeDaemon) -> list[Message]:
    return [message["params"]["cookie"] for message in daemon.heard if message["method"] == "cookie/set"]


def test_a_session_of_its_own_begins_with_the_cookies(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path
) -> None:
    (tmp_path / "jar").write_text(FILE)
    assert watchword("fetch", "-b", str(tmp_path / "jar"), URL).returncode == 0
    assert cookies(daemon) == [
        {
            "name": "plain", "value": "value", "domain": "origin.test", "path": "/",
            "secure": False, "httpOnly": False,
        },
        {
            "name": "wide", "value": "v 2", "domain": ".origin.test", "path": "/a",
            "expires": "2096-10-02T07:06:40Z", "secure": True, "httpOnly": False,
        },
        {
            "name": "hidden", "value": "", "domain": "origin.test", "path": "/",
            "secure": False, "httpOnly": True,
        },
    ]  # fmt: skip
    assert "name" not in daemon.parameters("session/open"), "the cookies are for this fetch only"
    assert daemon.parameters("fetch")["session"] == "p1-secret"


def test_a_named_session_gets_them(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    (tmp_path / "jar").write_text(FILE)
    assert watchword("fetch", "--session", "s", "-b", str(tmp_path / "jar"), URL).returncode == 0
    assert daemon.parameters("cookie/set")["session"] == "s"


def test_cookies_of_a_program_that_has_ended_can_be_left_out(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path
) -> None:
    (tmp_path / "jar").write_text(FILE)
    assert watchword("fetch", "-j", "-b", str(tmp_path / "jar"), URL).returncode == 0
    assert [cookie["name"] for cookie in cookies(daemon)] == ["wide"]


def test_a_file_that_is_not_there_has_no_cookies(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path
) -> None:
    done = watchword("fetch", "-b", str(tmp_path / "none"), "-b", "a=b", "-b", "", URL)
    assert (done.returncode, done.stderr) == (0, b"")
    assert cookies(daemon) == []
    assert ["Cookie", "a=b"] in daemon.parameters("fetch")["headers"]
