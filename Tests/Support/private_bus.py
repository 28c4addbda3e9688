"""A message bus of the test's own: dbus-daemon with a socket in a private directory."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

from Support.child_process import ChildProcess

#: Debian's interpreter, which has the bindings of D-Bus and dbusmock.
PYTHON = "/usr/bin/python3"

CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>custom</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
    <allow user="*"/>
  </policy>
</busconfig>
"""


class PrivateBus:
    """Every program may own and send everything; nothing is started on demand."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(exist_ok=True)
        self.directory = directory
        self.socket = directory / "bus"
        self.address = f"unix:path={self.socket}"
        self._configuration = directory / "bus.conf"
        self._configuration.write_text(CONFIGURATION.format(socket=self.socket))
        self._programs: list[ChildProcess] = []
        self.start()

    def start(self) -> None:
        """Starts it (again), at the same address."""
        self.socket.unlink(missing_ok=True)
        command = ["dbus-daemon", "--nofork", f"--config-file={self._configuration}"]
        self._bus = ChildProcess(command, self.directory / "bus.log")
        self._bus.wait_until(self.socket.exists)

    def end(self) -> None:
        """Ends the bus; all its connections break."""
        self._bus.stop()
        self.socket.unlink(missing_ok=True)

    def run(self, *command: str, log: str = "program.log") -> ChildProcess:
        """Starts a program that uses it as both of its buses."""
        environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.directory),
            "XDG_RUNTIME_DIR": str(self.directory),
            "DBUS_SYSTEM_BUS_ADDRESS": self.address,
            "DBUS_SESSION_BUS_ADDRESS": self.address,
            "PYTHONPATH": str(Path(__file__).resolve().parents[1]),
        }
        self._programs.append(ChildProcess(command, self.directory / log, environment))
        return self._programs[-1]

    def call(self, destination: str, path: str, method: str, *arguments: str) -> str:
        """What a method answers, as gdbus writes it."""
        command = ["gdbus", "call", "--address", self.address, "--dest", destination]
        command += ["--object-path", path, "--method", method, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=20).stdout

    def has_owner(self, name: str) -> bool:
        answer = self.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.NameHasOwner", name
        )
        return "true" in answer

    def stop(self) -> None:
        for program in reversed(self._programs):
            if program.running:
                program.send_signal(signal.SIGKILL)
                program.wait()
        self._bus.stop()
