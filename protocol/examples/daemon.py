"""A daemon that listens in a folder, and one that a transcript has for itself because it needs a configuration."""

import json
import os
import select
import signal
import socket
import subprocess
import tempfile


def start(program, directory, *options, environment=None):
    """A daemon of our own; returns its process and socket once it listens. `environment` is added to ours."""
    path = os.path.join(directory, "watchword.sock")
    command = [program, "--socket", path, "--state-directory", os.path.join(directory, "state"), *options]
    # Without the configuration file of the person who plays it.
    environment = {**os.environ, "XDG_CONFIG_HOME": directory, **(environment or {})}
    daemon = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    if not daemon.stdout.readline().startswith("listening on"):
        raise SystemExit(f"{program} did not start")
    return daemon, path


def stop(daemon, socket_path):
    """Stops the daemon at a socket: the one that was started, or one that followed it after a restart; both may have ended."""
    current = process_behind(socket_path) if os.path.exists(socket_path) else daemon.pid
    if current == daemon.pid:
        daemon.terminate()
    else:
        # It is no child of ours.
        number = os.pidfd_open(current)
        signal.pidfd_send_signal(number, signal.SIGTERM)
        select.select([number], [], [])
        os.close(number)
    daemon.wait()
    daemon.stdout.close()


def process_behind(socket_path):
    """The process id of the daemon that serves a socket, which another one may have made."""
    with socket.socket(socket.AF_UNIX) as connection, connection.makefile("rw") as lines:
        connection.connect(socket_path)
        lines.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n')
        lines.flush()
        return json.loads(lines.readline())["result"]["pid"]


def program_behind(socket_path):
    """The program of the daemon at a socket; WATCHWORDD names it where the system does not say."""
    return os.environ.get("WATCHWORDD") or os.readlink(f"/proc/{process_behind(socket_path)}/exe")


class Own:
    """The folder of a transcript's own daemon, and the daemon once it is configured."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="watchword-")
        self.directory = self.folder.name
        self.process = None

    def write(self, name, data):
        path = os.path.join(self.directory, name)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
        return path

    def configure(self, configuration, socket_path, environment):
        """Starts it and returns its socket; `socket_path` is that of a daemon of the same program."""
        path = self.write("configuration.json", json.dumps(configuration).encode("utf-8"))
        program = program_behind(socket_path)
        self.process, self.socket_path = start(
            program, self.directory, "--configuration", path, environment=environment
        )
        return self.socket_path

    def close(self):
        if self.process:
            stop(self.process, self.socket_path)
        self.folder.cleanup()
