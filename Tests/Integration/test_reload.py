"""A broken configuration file: the caller of `server/reload` and the log say so, and nothing changes."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration import sentinels
from Integration.wire import Json, Peer, RemoteError, kind_of
from Support.daemon import Daemon
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reply

pytestmark = pytest.mark.threads

Governed = Callable[[Json], tuple[Daemon, Peer]]

NO_CLEARTEXT = {"defaults": {"allowsCleartext": False}}

#: Texts with a secret in them, what is said of them, and where.
BROKEN = [
    (f'{{"{sentinels.PASSWORD}":', "the JSON text ends too early", None),
    (f'{{"logLevel": "info" "{sentinels.PASSWORD}"}}', "invalid JSON near line 1, column 40", None),
    (f'["{sentinels.PASSWORD}"]', "not a JSON object", None),
    (json.dumps({"logLevel": sentinels.PASSWORD}), "logLevel: must be ", "logLevel"),
    (
        json.dumps({"transportSecurity": {"defaults": {"allowsCleartext": sentinels.PASSWORD}}}),
        "transportSecurity.defaults.allowsCleartext: must be a boolean, not string, at line 1, column 37",
        "transportSecurity.defaults.allowsCleartext",
    ),
    (
        json.dumps({"pkcs11Module": sentinels.PASSWORD}),
        "pkcs11Module: unknown member, at line 1, column 2; did you mean pkcs11Modules?",
        "pkcs11Module",
    ),
    (None, "No such file or directory", None),
]


broken = pytest.mark.parametrize(
    ("text", "said", "place"), BROKEN, ids=["cut", "syntax", "array", "value", "type", "member", "missing"]
)


def configuration_of(daemon: Daemon) -> Path:
    return Path(daemon.options[daemon.options.index("--configuration") + 1])


def write(path: Path, text: str | None) -> None:
    if text is None:
        path.unlink()
    else:
        path.write_text(text)


@broken
def test_a_broken_configuration_is_an_error_and_changes_nothing(
    governed: Governed, origin: ScriptedOrigin, text: str | None, said: str, place: str | None
) -> None:
    daemon, peer = governed(NO_CLEARTEXT)
    path = configuration_of(daemon)
    write(path, text)
    with pytest.raises(RemoteError) as caught:
        peer.call("server/reload")
    assert caught.value.kind == "configurationInvalid"
    assert caught.value.message.startswith(f"{path}: {said}")
    assert caught.value.data.get("path") == place
    url = origin.serve("/", reply())
    assert kind_of(peer.fetch, peer.open(), url) == "policyRefused"
    path.write_text("{}")
    assert peer.call("server/reload") == {"reloaded": True}
    assert peer.fetch(peer.open(), url)["status"] == 200
    assert not sentinels.traces_in(daemon.output().encode())


@broken
def test_a_hang_up_says_in_the_log_what_is_broken(
    governed: Governed, origin: ScriptedOrigin, text: str | None, said: str, place: str | None
) -> None:
    daemon, peer = governed(NO_CLEARTEXT)
    path = configuration_of(daemon)
    write(path, text)
    os.kill(daemon.pid, signal.SIGHUP)
    daemon.process.wait_until(lambda: "configuration not reloaded" in daemon.output())
    assert f"{path}: {said}" in daemon.output()
    assert kind_of(peer.fetch, peer.open(), origin.serve("/", reply())) == "policyRefused"
    assert not sentinels.traces_in(daemon.output().encode())


def test_a_daemon_without_a_configuration_file_has_nothing_to_read(peer: Peer) -> None:
    assert peer.call("server/reload") == {"reloaded": True}
