"""Where a URL, a field or a form is taken apart, and what may not be in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from CommandLine.conftest import Command
from Support.fake_daemon import FakeDaemon

URL = "http://origin.test/a/name?q=1"


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


# A combining mark makes one character of itself and what is before it, but is no part of it.
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
def test_what_has_no_place_in_arguments_is_found_by_bytes(
    watchword: Command, daemon: FakeDaemon, arguments: list[str]
) -> None:
    assert watchword("fetch", *arguments).returncode == 2
    assert "task/start" not in [message["method"] for message in daemon.heard]


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
