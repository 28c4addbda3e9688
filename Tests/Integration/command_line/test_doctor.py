"""`watchword doctor` beside a real daemon."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from Integration.command_line.scene import Command
from Support.daemon import Daemon

CONFIGURATION = {
    "transportSecurity": {
        "defaults": {"allowsCleartext": False, "allowsLooseningTrust": False, "minimumTLSVersion": "1.3"},
        "domains": [{"domain": "intranet.example", "allowsCleartext": True}],
    }
}


def found(daemon: Daemon) -> tuple[int, list[dict[str, str]]]:
    done = Command(daemon)("doctor", "--json")
    return done.returncode, json.loads(done.stdout)["findings"]


def test_what_the_configuration_file_turns_off_is_found(tmp_path: Path) -> None:
    file = tmp_path / "host.json"
    file.write_text(json.dumps(CONFIGURATION))
    daemon = Daemon(["--configuration", str(file)])
    try:
        code, findings = found(daemon)
        texts = [one["text"] for one in findings if one["topic"] == "configuration"]
        assert texts == [
            f"{file}: http is refused, https is needed",
            f"{file}: -k and --cacert do not count",
            f"{file}: TLS 1.3 or newer is needed",
            f"{file}: 1 host with rules of their own for TLS and cleartext",
        ]
        assert code == 0, findings
        file.write_text("{")
        code, findings = found(daemon)
        assert code == 1 and [one["topic"] for one in findings if one["severity"] == "problem"] == [
            "configuration"
        ]
    finally:
        daemon.stop()


def test_a_daemon_without_mistakes_has_none(daemon: Daemon) -> None:
    code, findings = found(daemon)
    assert (code, [one for one in findings if one["severity"] == "problem"]) == (0, [])


@pytest.mark.parametrize("text", ["{", '{"acces": "host"}', '{"history": {"entries": -1}}'])
def test_the_file_of_the_account_is_checked_like_a_start_does(
    watchword: Command, tmp_path: Path, text: str
) -> None:
    """No daemon starts with it, and the command that would start one says only that."""
    file = tmp_path / "watchword" / "config.json"
    file.parent.mkdir()
    file.write_text(text)
    done = watchword("doctor", "--json", XDG_CONFIG_HOME=str(tmp_path))
    problems = [one for one in json.loads(done.stdout)["findings"] if one["severity"] == "problem"]
    assert done.returncode == 1
    (problem,) = problems
    assert problem["topic"] == "configuration"
    assert problem["text"].startswith(f"{file}: ")
    assert "watchword config check" in problem["advice"]
    file.write_text("{}")
    assert watchword("doctor", XDG_CONFIG_HOME=str(tmp_path)).returncode == 0
