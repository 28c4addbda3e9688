"""The configuration file of the daemon's own account, and the check of a file without a daemon."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from Integration.wire import PATIENCE, Json, Peer, RemoteError
from Support.daemon import Daemon, clean_environment, program
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reply

NO_CLEARTEXT = {"transportSecurity": {"defaults": {"allowsCleartext": False}}}


def own(home: Path, file: Json, folder: str = ".config") -> Path:
    """Makes the account's file."""
    path = home / folder / "watchword" / "config.json"
    path.parent.mkdir(parents=True)
    path.write_text(file if isinstance(file, str) else json.dumps(file))
    return path


def refuses_cleartext(daemon: Daemon, origin: ScriptedOrigin) -> bool:
    with Peer(daemon.socket) as peer:
        try:
            peer.fetch(peer.open(), origin.url + "/")
        except RemoteError as error:
            assert error.kind == "policyRefused"
            return True
    return False


def check(*arguments: str | Path, **environment: str) -> tuple[int, str, list[str]]:
    """Status, output and lines on standard error of a check."""
    done = subprocess.run(
        [str(program()), "--check-configuration", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**clean_environment(Path("/nonexistent")), **environment},
    )
    return done.returncode, done.stdout, done.stderr.splitlines()


@pytest.mark.parametrize("variable", ["", "relative", None], ids=["empty", "relative", "unset"])
def test_the_file_of_the_account_is_read(
    directory: Path, origin: ScriptedOrigin, variable: str | None
) -> None:
    own(directory, NO_CLEARTEXT)
    own(directory, {"logLevel": "nonsense"}, "relative")
    daemon = Daemon(
        environment={} if variable is None else {"XDG_CONFIG_HOME": variable}, directory=directory
    )
    assert refuses_cleartext(daemon, origin)
    assert origin.requests == []
    daemon.stop()


def test_the_file_below_xdg_config_home_comes_first(directory: Path, origin: ScriptedOrigin) -> None:
    own(directory, {"logLevel": "nonsense"})
    own(directory, NO_CLEARTEXT, "elsewhere")
    elsewhere = {"XDG_CONFIG_HOME": str(directory / "elsewhere")}
    daemon = Daemon(environment=elsewhere, directory=directory)
    assert refuses_cleartext(daemon, origin)
    daemon.stop()


def test_a_given_file_keeps_the_accounts_own_from_being_read(directory: Path, origin: ScriptedOrigin) -> None:
    own(directory, {"transportSecurity": {"defaults": {"allowsCleartext": True}}, "nonsense": 1})
    given = directory / "given.json"
    given.write_text(json.dumps(NO_CLEARTEXT))
    daemon = Daemon(["--configuration", str(given)], directory=directory)
    assert refuses_cleartext(daemon, origin)
    with Peer(daemon.socket) as peer:
        assert peer.call("server/reload") == {"reloaded": True}
    assert refuses_cleartext(daemon, origin)
    daemon.stop()


def test_a_reload_finds_a_file_that_was_made_and_one_that_was_removed(
    directory: Path, origin: ScriptedOrigin
) -> None:
    daemon = Daemon(directory=directory)
    origin.serve("/", reply())
    assert not refuses_cleartext(daemon, origin)
    path = own(directory, NO_CLEARTEXT)
    with Peer(daemon.socket) as peer:
        peer.call("server/reload")
        assert refuses_cleartext(daemon, origin)
        path.write_text('{"transportSecurity": 5}')
        with pytest.raises(RemoteError) as caught:
            peer.call("server/reload")
        assert caught.value.kind == "configurationInvalid"
        assert refuses_cleartext(daemon, origin)
        path.unlink()
        peer.call("server/reload")
    assert not refuses_cleartext(daemon, origin)
    daemon.stop()


def test_a_wrong_file_keeps_the_daemon_from_starting_and_is_explained(directory: Path) -> None:
    path = own(directory, '{\n  "logLevl": "info"\n}\n')
    with pytest.raises(RuntimeError, match="did you mean logLevel"):
        Daemon(directory=directory)
    command = [str(program("watchword")), "sessions"]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, env=clean_environment(directory)
    )
    assert done.returncode == 5
    assert f"{path}: logLevl: unknown member, at line 2, column 3; did you mean logLevel?" in done.stderr


def test_the_accounts_file_opens_the_daemon_to_nobody(directory: Path) -> None:
    path = own(directory, {"access": "host"})
    with pytest.raises(RuntimeError, match="access: only a file that --configuration names may let"):
        Daemon(directory=directory)
    assert check("--configuration", path)[0] == 0
    assert check(HOME=str(directory))[0] == 1


@pytest.mark.parametrize("is_given", [True, False], ids=["given", "own"])
@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_a_file_that_others_may_write_to_is_refused(directory: Path, mode: int, is_given: bool) -> None:
    path = own(directory, {})
    path.chmod(mode)
    with pytest.raises(RuntimeError, match="others may write to it"):
        Daemon(["--configuration", str(path)] if is_given else [], directory=directory)
    path.chmod(0o644)
    Daemon(["--configuration", str(path)] if is_given else [], directory=directory).stop()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a file away")
def test_a_file_of_another_account_is_refused(directory: Path) -> None:
    path = own(directory, {})
    os.chown(path, 65534, -1)
    assert check(HOME=str(directory)) == (1, "", [f"watchwordd: {path}: belongs to another user"])


BROKEN = """{
  "logLevl": "info",
  "agent": {"idleLockSecond": 3, "lockOnSuspend": 1},
  "credentialSources": {
    "a.b": {"kind": "file", "pth": "/x"},
    "a": {"kind": "file", "path": "x"},
    "ü": {"kind": "file", "path": "/x", "orgins": []}, "u\\u0061": 7,
    "fine": {"kind": "file", "path": "/x"}
  },
  "transportSecurity": {
    "domains": [{"domain": "a"}, {"domain": "b", "minimumTLSVersion": "9"}, {"domain": 5}],
    "defaults": {"allowsCleartext": 5, "allowsCleartex": true}
  },
  "restrictedSockets": [{"path": "/a", "rules": [{"origin": "https://a", "pth": 1}]}],
  "vault": 5
}
"""

#: Every fault that is told, in the order of the file. After `domains[1]` that of `domains[2]` is not.
FAULTS = [
    "logLevl: unknown member, at line 2, column 3; did you mean logLevel?",
    "agent.idleLockSecond: unknown member, at line 3, column 13; did you mean idleLockSeconds?",
    "agent.lockOnSuspend: must be a boolean, not number, at line 3, column 34",
    "credentialSources.a.b.path: is missing, at line 5, column 5; did you mean it by pth?",
    "credentialSources.a.path: must be an absolute path, at line 6, column 27",
    "credentialSources.ü.orgins: unknown member, at line 7, column 41; did you mean origins?",
    "credentialSources.ua: must be an object, not number, at line 7, column 56",
    "transportSecurity.domains[1].minimumTLSVersion: must be one of 1.2, 1.3, at line 11, column 50",
    "transportSecurity.defaults.allowsCleartext: must be a boolean, not number, at line 12, column 18",
    "transportSecurity.defaults.allowsCleartex: unknown member, at line 12, column 40; "
    "did you mean allowsCleartext?",
    "restrictedSockets[0].rules[0].pth: unknown member, at line 14, column 74; did you mean path?",
    "vault: must be an object, not number, at line 15, column 3",
]


def test_a_check_says_every_fault_with_its_place_and_the_nearest_name(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(BROKEN)
    status, output, lines = check("--configuration", path)
    assert [line.removeprefix(f"watchwordd: {path}: ") for line in lines] == FAULTS
    assert (status, output) == (1, "")
    assert path.read_text() == BROKEN


def test_a_check_of_a_text_that_is_no_json_says_where(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text('{\n  "access": user\n}')
    status, _, (line,) = check("--configuration", path)
    assert (status, line.startswith(f"watchwordd: {path}: invalid JSON near line 2, column ")) == (1, True)


def test_a_check_without_a_fault_says_which_file_it_was(directory: Path) -> None:
    environment = {"HOME": str(directory)}
    path = directory / ".config" / "watchword" / "config.json"
    assert check(**environment) == (0, f"{path}: does not exist; every setting has its default\n", [])
    own(directory, NO_CLEARTEXT)
    assert check(**environment) == (0, f"{path}: ok\n", [])
    assert check("--configuration", directory / "none")[0] == 1


def test_the_command_checks_a_file_without_a_daemon(directory: Path) -> None:
    path = own(directory, '{"vualt": {}}')

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(program("watchword")), *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            env=clean_environment(directory),
        )

    said = f"watchwordd: {path}: vualt: unknown member, at line 1, column 2; did you mean vault?\n"
    for arguments in ([], [path]):
        done = run("config", "check", *arguments)
        assert (done.returncode, done.stdout, done.stderr) == (1, "", said)
    path.write_text("{}")
    assert run("config", "check").stdout == f"{path}: ok\n"
    assert run("config", "check", "a", "b").returncode == 2
    assert list(directory.glob("*.sock")) == []


def test_the_help_names_every_member_of_the_file(directory: Path) -> None:
    schema = json.loads((Path(__file__).parents[3] / "protocol" / "configuration.json").read_text())
    for command in (
        ["watchwordd", "--help"],
        ["watchword", "config"],
        ["watchword", "config", "check", "--help"],
    ):
        name, *arguments = command
        done = subprocess.run(
            [str(program(name)), *arguments], capture_output=True, text=True, timeout=PATIENCE
        )
        assert done.returncode == 0
        assert [member for member in schema["properties"] if f"\n  {member} " not in done.stdout] == []
        assert "\n  agent.idleLockSeconds " in done.stdout
        _, _, members = done.stdout.partition("members of the configuration file")
        assert max(map(len, members.splitlines())) <= 80
