"""``watchword.testing`` as the tests of a program use it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import watchword
from watchword.testing import Recording, private_daemon, protected_origin, record

PLUGIN = 'pytest_plugins = ["watchword.testing"]\n'
TESTS = """
import os
import watchword
from watchword import requests


def test_a_program(watchword_client, watchword_origin):
    page = watchword_origin.protect("/q3.csv", "digest", user="reader", password="sesame", body=b"1;2")
    with watchword_client.session(on_challenge=lambda _: watchword.use_credential("reader", "sesame")) as session:
        assert session.get(page).content == b"1;2"
        assert session.get(page).status_code == 200
    assert [one.status for one in watchword_origin.requests] == [401, 200, 200]


def test_what_the_program_starts_finds_the_daemon(watchword_daemon, watchword_origin):
    assert os.environ["WATCHWORD_SOCKET"] == str(watchword_daemon.socket_path)
    assert requests.get(watchword_origin.serve("/open", b"hello")).text == "hello"
"""


def test_the_fixtures_give_a_daemon_and_an_origin(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(PLUGIN)
    (tmp_path / "test_program.py").write_text(TESTS)
    environment = {**os.environ, "PYTHONPATH": os.fspath(Path(watchword.__file__).parents[1])}
    environment.pop("PYTEST_XDIST_WORKER", None)
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", os.fspath(tmp_path)],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert "2 passed" in ran.stdout, ran.stdout


def test_a_daemon_that_cannot_be_found_fails_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATCHWORDD", "/nowhere/watchwordd")
    with pytest.raises(watchword.DaemonUnavailable, match="/nowhere/watchwordd"), private_daemon():
        pass


@pytest.mark.parametrize("method", ["basic", "digest", "bearer"])
def test_an_origin_accepts_the_right_secret_only(method: str) -> None:
    right = (
        watchword.use_token("sesame") if method == "bearer" else watchword.use_credential("reader", "sesame")
    )  # fmt: skip
    wrong = watchword.use_token("open") if method == "bearer" else watchword.use_credential("reader", "open")
    answers = [wrong, right]
    with private_daemon() as daemon, protected_origin() as origin, daemon.client() as client:
        given = {"token": "sesame"} if method == "bearer" else {"user": "reader", "password": "sesame"}
        page = origin.protect("/a", method, **given, body=b"in", realm='the "realm"')
        session = client.session(on_challenge=lambda _: answers.pop(0))
        assert (session.get(page).content, answers) == (b"in", [])
        assert session.get(origin.url + "/nothing").status == 404
        assert origin.requests[-1].path == "/nothing"


def test_an_origin_plays_a_script_for_a_path() -> None:
    with private_daemon() as daemon, protected_origin() as origin, daemon.client() as client:
        page = origin.serve("/busy", b"", status=503, times=2)
        origin.serve("/busy", b"now", headers={"X-A": "b"})
        session = client.session()
        assert [session.get(page).status for _ in range(4)] == [503, 503, 200, 200]
        sent = session.post(page, data=b"body", headers={"X-B": "c"})
        assert sent.headers["x-a"] == "b"
        assert (origin.requests[-1].method, origin.requests[-1].body) == ("POST", b"body")
        assert origin.requests[-1].headers["X-B"] == "c"


def test_challenges_are_recorded_without_secrets_and_replayed(tmp_path: Path) -> None:
    file = tmp_path / "challenges.jsonl"

    def handler(question: watchword.Challenge) -> watchword.Answer:
        if question.previous_failure_count:
            return watchword.cancel()
        return watchword.use_credential("reader", "sentinel-1")

    with private_daemon() as daemon, protected_origin() as origin, daemon.client() as client:
        page = origin.protect("/a", "digest", user="reader", password="sesame")
        session = client.session(on_challenge=record(handler, file))
        with pytest.raises(watchword.UserCancelledAuthentication):
            session.get(page, params={"token": "sentinel-2"})
    assert "sentinel" not in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    recording = Recording.load(file)
    assert [one.previous_failure_count for one in recording.challenges] == [0, 1]
    assert recording.challenges[0].protection_space.realm == "test"
    recording.replay(handler)
    with pytest.raises(AssertionError, match=r"challenge 2 .*cancelAuthenticationChallenge.*useCredential"):
        recording.replay(lambda _: watchword.use_credential("reader", "other"))
    with pytest.raises(AssertionError, match=r"challenge 1 .*reader.*writer"):
        recording.replay(lambda _: watchword.use_credential("writer", "other"))


def test_a_file_that_is_no_recording_says_so(tmp_path: Path) -> None:
    for text in ("no JSON\n", json.dumps({"challenge": {}}) + "\n", "[]\n"):
        (tmp_path / "r").write_text(text)
        with pytest.raises(watchword.InvalidArgument, match="line 1"):
            Recording.load(tmp_path / "r")
