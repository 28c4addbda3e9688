"""A daemon that listens in a folder, and one that a transcript has for itself because it needs a configuration."""

import json
import os
import socket
import struct
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


def stop(daemon):
    daemon.terminate()
    daemon.wait()
    daemon.stdout.close()


def program_behind(socket_path):
    """The program of the daemon at a socket; WATCHWORDD names it where the system does not say."""
    if "WATCHWORDD" in os.environ:
        return os.environ["WATCHWORDD"]
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(socket_path)
        credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        return os.readlink(f"/proc/{struct.unpack('3i', credentials)[0]}/exe")


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
        self.process, own = start(program, self.directory, "--configuration", path, environment=environment)
        return own

    def close(self):
        if self.process:
            stop(self.process)
        self.folder.cleanup()
