"""What protocol/security.md promises beyond what other files look at, and that what it names is there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from Integration.wire import Json, Peer, kind_of
from Support.daemon import PROJECT
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reply

CHECKS = json.loads((PROJECT / "protocol" / "security-tests.json").read_text())

#: Where a test of each kind is defined.
SOURCES = {
    "test_": ["Tests/Integration/**/*.py", "Tests/CommandLine/**/*.py", "clients/python/tests/**/*.py"],
    "shell": ["clients/shell/tests/*.sh"],
    "swift": ["Tests/*Tests/**/*.swift"],
}


def text_of(kind: str) -> str:
    return "\n".join(path.read_text() for pattern in SOURCES[kind] for path in PROJECT.glob(pattern))


def holders() -> list[str]:
    """The tests and transcripts that check rules; what has a space is a sentence."""
    return [name for names in CHECKS.values() for name in names if re.fullmatch(r"[\w.-]+", name)]


def test_everything_that_holds_a_rule_is_there() -> None:
    python, shell, swift = text_of("test_"), text_of("shell"), text_of("swift")
    names = holders()
    assert len(names) > 80
    for name in names:
        if name.endswith(".jsonl"):
            assert (PROJECT / "protocol" / "examples" / name).exists(), name
        elif name.startswith("test_"):
            assert f"def {name}(" in python, name
        elif name != "fuzzed":
            assert f"{name}() {{" in shell or f"func {name}(" in swift, name


@pytest.mark.core
@pytest.mark.parametrize(
    "members",
    [
        {"url": "file:///etc/passwd"},
        {"body": {"file": "/etc/passwd"}},
        {"body": {"path": "/etc/passwd"}},
        {"body": "@/etc/passwd"},
        {"output": "/tmp/watchword-opened"},
        {"output": {"path": "/tmp/watchword-opened"}},
    ],
    ids=str,
)
def test_a_fetch_names_no_file(peer: Peer, origin: ScriptedOrigin, members: Json) -> None:
    url = origin.serve("/", reply())
    assert kind_of(lambda: peer.fetch(peer.open(), **{"url": url, **members})) == "invalidParams"
    assert origin.requests == []
    assert not Path("/tmp/watchword-opened").exists()


@pytest.mark.core
@pytest.mark.parametrize(
    "configuration",
    [
        {"tls": {"roots": {"certificates": "/etc/ssl/certs/ca-certificates.crt"}}},
        {"netrc": "/root/.netrc"},
        {"proxies": {"all": "file:///etc/passwd"}},
    ],
    ids=str,
)
def test_a_configuration_names_no_file(peer: Peer, configuration: Json) -> None:
    assert kind_of(lambda: peer.open(configuration=configuration)) == "invalidParams"
