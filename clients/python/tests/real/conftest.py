"""A real daemon and the demo's origin. Without WATCHWORDD these tests are skipped; with it they run or fail."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from development_server import DevelopmentServer, serving

DEMO = Path(__file__).parents[2] / "demo"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.real)
            if not os.environ.get("WATCHWORDD"):
                item.add_marker(pytest.mark.skip(reason="WATCHWORDD names no daemon"))


@pytest.fixture(scope="session")
def origin() -> Iterator[str]:
    process = subprocess.Popen([sys.executable, DEMO / "protected_origin.py"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    process.terminate()
    process.wait(10)
    process.stdout.close()


@pytest.fixture
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The socket of a daemon of this test's own, which has to stop cleanly."""
    directory = tmp_path_factory.mktemp("d")
    directory.chmod(0o700)
    path = os.fspath(directory / "w.sock")
    command = [os.environ["WATCHWORDD"], "--socket", path, "--state-directory", os.fspath(directory / "state")]
    # It puts no key into the keyring of the person who runs the tests, and does not read their configuration file.
    environment = {**os.environ, "DBUS_SESSION_BUS_ADDRESS": "", "XDG_CONFIG_HOME": os.fspath(directory)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == f"listening on {path}\n"
        yield path
        process.terminate()
        assert process.wait(10) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.fixture
def development_server(tmp_path: Path) -> Iterator[DevelopmentServer]:
    with serving(tmp_path) as server:
        yield server


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a client starts a daemon."""
    tmp_path.chmod(0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", os.fspath(tmp_path))
    return tmp_path / "watchword" / "watchword.sock"
