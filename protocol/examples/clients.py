"""Another client between the player and the daemon: a program that sends the requests of a transcript in its own way."""

import json
import os
import subprocess

WAIT_SECONDS = 20


class Unsendable(Exception):
    """A transcript has what no client sends: why."""


class Misspoken(Exception):
    """A client does not keep to what the player asks of it."""


class ClientConnection:
    """One connection of a client: its program, a line in for each request and a line out for each message."""

    def __init__(self, command, path):
        environment = {**os.environ, "WATCHWORD_SOCKET": path}
        self.process = subprocess.Popen(
            ["sh", "-c", "exec " + command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )
        self.source = self.process.stdout
        self.buffer = b""
        self.arrived = []
        self.methods = {}
        self.ended = False

    def send(self, text, descriptors=()):
        """Has a request sent; `text` is the message of the transcript."""
        self.process.stdin.write(text.encode("utf-8", "surrogatepass") + b"\n")
        self.process.stdin.flush()

    def readable(self):
        piece = os.read(self.source.fileno(), 65536)
        self.ended = self.ended or not piece
        *lines, self.buffer = (self.buffer + piece).split(b"\n")
        return [self._message(line) for line in lines if line]

    @staticmethod
    def _message(line):
        try:
            return json.loads(line)
        except ValueError:
            raise Misspoken(f"the client printed a line that is no JSON: {line[:200]!r}") from None

    @property
    def end(self):
        """How the program ended, for a person."""
        try:
            return f"the client ended with status {self.process.wait(1)}"
        except subprocess.TimeoutExpired:
            return "the client has closed its output"

    def close(self):
        """The client leaves the daemon, and its program ends."""
        for stream in (self.process.stdin, self.process.stdout):
            try:
                stream.close()
            except BrokenPipeError:
                pass
        try:
            self.process.wait(WAIT_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def played(lines, heard=None):
    """The lines without the notifications that a client does not pass on; raises Unsendable where it cannot play them."""
    check(lines)
    if heard is None:
        return lines
    unheard = [line for line in lines if isinstance(line.get("server"), dict) and line["server"].get("method", heard[0]) not in heard]
    if any("$bind" in json.dumps(line) for line in unheard):
        raise Unsendable("a value of a notification that the client does not pass on")
    ended = []
    for line in lines:
        if line in unheard and line["server"]["method"] == "task/didFinish":
            ended.append(line["server"]["params"]["task"])
        elif (line.get("client") or {}).get("params", {}).get("task") in ended:
            raise Unsendable("a request that follows the end of its task, of which the client does not tell")
    return [line for line in lines if line not in unheard]


def check(lines):
    """Raises Unsendable where a client, which makes its own messages, cannot send those of a transcript."""
    for line in lines:
        message = line.get("client")
        if "client" not in line or message is None:
            continue
        if isinstance(message, str):
            raise Unsendable("bytes that are no message of a client")
        if isinstance(message, list):
            raise Unsendable("a batch")
        if line.get("descriptors"):
            raise Unsendable("descriptors")
        if message.get("jsonrpc") != "2.0" or not isinstance(message.get("method"), str):
            raise Unsendable("a message that is malformed on purpose")
        if set(message) - {"jsonrpc", "id", "method", "params"} or not isinstance(message.get("params", {}), dict):
            raise Unsendable("a message that is malformed on purpose")
        if message["method"] == "$/cancelRequest":
            raise Unsendable("$/cancelRequest, which names an id of the client's")
        if type(message.get("id")) not in (int, str):
            raise Unsendable("an id that a client does not choose, or none")
        if message["method"] == "initialize":
            raise Unsendable("a client opens its connection in its own way")
