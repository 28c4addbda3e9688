"""Plays one transcript: sends its client lines, answers for its origin, compares what the daemon says."""

import base64
import functools
import json
import os
import re
import selectors
import socket
import time
import uuid
from urllib.parse import unquote

import certificates
import daemon
import kerberos
import origin as scripted
from schema import TYPES, Mismatch

KINDS = ("about", "client", "server", "origin", "file", "contents", "configuration")
FILE_SECONDS = 20  # a whole file; a challenge's deadline in a transcript is a fraction of a second
REFUSED = {-32700, -32600, -32601, -32602}
ABSENT = {"$absent": True}


class Failed(Exception):
    """The daemon did something else than the transcript says."""


class Connection:
    """One connection to the daemon: what was sent, and what came and is not matched yet."""

    def __init__(self, path):
        #: What can be waited for.
        self.source = socket.socket(socket.AF_UNIX)
        self.source.connect(path)
        self.buffer = b""
        self.arrived = []
        self.methods = {}
        self.ended = False

    def send(self, text, descriptors=()):
        """Sends a line; its descriptors are closed here."""
        data = text.encode("utf-8", "surrogatepass") + b"\n"
        if descriptors:
            data = data[socket.send_fds(self.source, [data], descriptors) :]
        self.source.sendall(data)
        for number in descriptors:
            os.close(number)

    def readable(self):
        try:
            piece = self.source.recv(65536)
        except OSError:
            piece = b""
        self.ended = self.ended or not piece
        *lines, self.buffer = (self.buffer + piece).split(b"\n")
        return [json.loads(line) for line in lines if line]

    def close(self):
        self.source.close()


class Player:
    """Plays one file; `connect` makes a connection to the daemon at a path."""

    def __init__(self, path, socket_path, document, connect=Connection):
        self.socket_path = socket_path
        self.connect = connect
        self.document = document
        text = path.read_text("utf-8")
        self.lines = [json.loads(line) for line in text.splitlines() if line.strip()]
        self.selector = selectors.DefaultSelector()
        self.connections, self.requests, self.bound, self.secrets = {}, [], {}, {"sentinel-"}
        #: The descriptors of files in memory by their names.
        self.memory = {}
        self.end = time.monotonic() + FILE_SECONDS
        ports = [self._listen(scripted.Stream) for _ in range(2)]
        self.words = {
            "port": ports[0], "port2": ports[1], "unique": uuid.uuid4().hex[:12],
            "origin": f"http://127.0.0.1:{ports[0]}", "origin2": f"http://127.0.0.1:{ports[1]}",
        }
        if "{{socksPort}}" in text:
            self.words["socksPort"] = self._listen(scripted.SocksStream)
        self.own = None
        if "{{directory}}" in text or any("configuration" in line or "descriptors" in line for line in self.lines):
            self.own = daemon.Own()
            self.words["directory"] = self.own.directory
        if any(word in text for word in ("{{tls", "{{authority")):
            self._listen_securely()
        if any(word in text for word in ("{{realm", '"$ticket"')):
            self._join_realm()
        #: What the daemon is to say, by connection.
        self.expected = {}

    def _listen(self, stream):
        """Listens on a port of its own; `stream` makes a connection's stream of it and the queue of requests."""
        listener = scripted.listen()
        self.selector.register(listener, selectors.EVENT_READ, lambda: self._accept(listener, stream))
        return listener.getsockname()[1]

    def _listen_securely(self):
        minted = certificates.minted()
        self.words["authority"] = minted.authority
        for name, suffix in (("first", ""), ("second", "2")):
            port = self._listen(functools.partial(scripted.SecureStream, context=minted.context(name)))
            self.words["tlsPort" + suffix] = port
            self.words["tlsOrigin" + suffix] = f"https://127.0.0.1:{port}"
            self.words["tlsCertificate" + suffix] = minted.fingerprint(name)
            self.words["tlsKey" + suffix] = minted.pin(name)

    def _join_realm(self):
        self.realm = kerberos.realm()
        self.words["realmConfiguration"] = self.realm.configuration
        self.words["realmTickets"], self.words["realmKeytab"] = self.realm.tickets, self.realm.keytab
        self.secrets |= {self.realm.tickets, self.realm.keytab}

    # Playing

    def play(self):
        for line in self.lines:
            if "server" in line:
                self.expected.setdefault(line.get("connection", "a"), []).append(line["server"])
        for number, line in enumerate(self.lines, 1):
            kind = next(kind for kind in KINDS if kind in line)
            try:
                self.line = line
                getattr(self, "_" + kind)(line[kind], line.get("connection", "a"))
            except Failed as failure:
                raise Failed(f"line {number}: {failure}") from None
        for name, connection in self.connections.items():
            if not connection.ended:
                connection.send('{"jsonrpc":"2.0","id":"end of transcript","method":"ping"}')
                connection.methods['"end of transcript"'] = "ping"
                self._wait(lambda c=connection: self._reply(c, "end of transcript") or c.ended, "the last ping's reply")
            left = [m for m in connection.arrived if self._relevant(name, m) and m.get("id") != "end of transcript"]
            if left:
                raise Failed(f"connection {name}: not in the transcript: {brief(left[0])}")
        if self.requests:
            raise Failed(f"not in the transcript: the origin was asked {self.requests[0]}")

    def close(self):
        for key in list(self.selector.get_map().values()):
            key.fileobj.close()
        self.selector.close()
        for connection in self.connections.values():
            connection.close()
        for number in self.memory.values():
            os.close(number)
        if self.own:
            self.own.close()

    def _about(self, _text, _name):
        pass

    def _file(self, file, _name):
        data = base64.b64decode(self._filled(file["base64"])) if "base64" in file else self._filled(file["text"]).encode("utf-8")
        self.own.write(file["name"], data)

    def _contents(self, file, _name):
        name = file["name"]
        source = self.memory[name] if name in self.memory else os.path.join(self.own.directory, name)
        with open(source, encoding="utf-8", closefd=name not in self.memory) as found:
            found.seek(0)
            self._match(self._filled(file["text"]), found.read(), f"contents of {name}")

    def _descriptor(self, what):
        """A file of the directory at an offset, by default its end, a file in memory, a listening socket of the directory, or
        a pipe with this text in it."""
        if "memory" in what:
            self.memory[what["memory"]] = os.memfd_create(what["memory"])
            return os.dup(self.memory[what["memory"]])
        if "socket" in what:
            with socket.socket(socket.AF_UNIX) as listener:
                listener.bind(os.path.join(self.own.directory, what["socket"]))
                listener.listen()
                return listener.detach()
        if "file" in what:
            number = os.open(os.path.join(self.own.directory, what["file"]), os.O_RDWR)
            os.lseek(number, what.get("offset", 0), os.SEEK_SET if "offset" in what else os.SEEK_END)
            return number
        reading, writing = os.pipe()
        os.write(writing, what["pipe"].encode("utf-8"))
        os.close(writing)
        return reading

    def _configuration(self, configuration, _name):
        environment = self._filled(self.line.get("environment", {}))
        self.socket_path = self.own.configure(self._filled(configuration), self.socket_path, environment)

    def _client(self, message, name):
        connection = self.connections.get(name)
        if message is None:
            self.selector.unregister(connection.source)
            connection.close()
            del self.connections[name]
            return
        if connection is None:
            elsewhere = self.line.get("socket")
            path = os.path.join(self.own.directory, elsewhere) if elsewhere else self.socket_path
            connection = self.connections[name] = self.connect(path)
            self.selector.register(connection.source, selectors.EVENT_READ, lambda c=connection: self._receive(c))
        if isinstance(message, str):
            connection.send(self._filled(message))
            return
        message = self._filled(message)
        self._note_secrets(message)
        for one in message if isinstance(message, list) else [message]:
            if isinstance(one, dict):
                connection.methods[json.dumps(one.get("id"))] = one.get("method")
                self._check_request(one, name)
        descriptors = [self._descriptor(what) for what in self.line.get("descriptors", ())]
        connection.send(json.dumps(message, ensure_ascii=False, separators=(",", ":")), descriptors)

    def _server(self, expected, name):
        connection = self.connections[name]
        if expected is None:
            self._wait(lambda: connection.ended, "the end of the connection")
            return
        if isinstance(expected, list) or ("id" in expected and "method" not in expected):
            key = None if isinstance(expected, list) else self._filled(expected["id"])
            actual = self._wait(lambda: self._reply(connection, key), f"the reply {brief(expected)}", connection)
        else:
            actual = self._wait(lambda: self._next_notification(name), f"{brief(expected)}", connection)
        self._match(expected, actual, "message")
        connection.arrived.remove(actual)

    def _origin(self, exchange, _name):
        wanted = self._filled(exchange["request"])

        def chosen():
            for request in self.requests:
                if (request.method, request.path) == (wanted["method"], wanted["path"]):
                    host = wanted.get("headers", {}).get("Host")
                    if host is None or host == request.field("Host"):
                        return request
            return None

        request = self._wait(chosen, f"the origin's request {wanted['method']} {wanted['path']}")
        self.requests.remove(request)
        for field, value in wanted.get("headers", {}).items():
            if isinstance(value, dict) and "$ticket" in value:
                self._accept_ticket(value["$ticket"], request.field(field), f"request field {field}")
            else:
                self._match(value, request.field(field), f"request field {field}")
        if "text" in wanted:
            self._match(wanted["text"], request.text, "request body")
        if exchange["response"] is not None:
            request.stream.answer(request.method, self._filled(exchange["response"]))

    def _accept_ticket(self, user, field, path):
        """The realm's service accepts the token of this user; `{{token}}` stands for its answer from now on."""
        name, self.words["token"] = self.realm.service.accept(field) or (None, None)
        self._match(f"{user}@{kerberos.NAME}", name, path)

    # What arrives

    def _accept(self, listener, make):
        connection, _ = listener.accept()
        stream = make(connection, self.requests)
        self.selector.register(stream.connection, selectors.EVENT_READ, lambda: self._serve(stream))

    def _serve(self, stream):
        if not stream.readable():
            self.selector.unregister(stream.connection)
            stream.connection.close()

    def _receive(self, connection):
        for message in connection.readable():
            text = json.dumps(message, ensure_ascii=False)
            for secret in self.secrets:
                if secret in text:
                    raise Failed(f"a secret in a message of the daemon: {brief(message)}")
            for one in message if isinstance(message, list) else [message]:
                self._check_message(connection, one)
            connection.arrived.append(message)
        if connection.ended:
            self.selector.unregister(connection.source)

    def _wait(self, condition, what, connection=None):
        while True:
            found = condition()
            if found:
                return found
            left = self.end - time.monotonic()
            if left <= 0 or (connection is not None and connection.ended):
                why = getattr(connection, "end", "the connection ended") if left > 0 else f"not within {FILE_SECONDS} s"
                waiting = [brief(m) for c in self.connections.values() for m in c.arrived] + list(map(str, self.requests))
                raise Failed("\n    ".join([f"{why}: {what}", *("arrived: " + text for text in waiting)]))
            for key, _ in self.selector.select(left):
                key.data()

    # Finding and comparing

    @staticmethod
    def _reply(connection, key):
        for message in connection.arrived:
            if isinstance(message, list):
                if key is None:
                    return message
            elif "method" not in message and message.get("id") == key and type(message.get("id")) is type(key):
                return message
        return None

    def _relevant(self, name, message):
        """Replies always; notifications when the file speaks of their method on this connection."""
        if isinstance(message, list) or "method" not in message:
            return True
        return any(isinstance(e, dict) and e.get("method") == message["method"] for e in self.expected.get(name, ()))

    def _next_notification(self, name):
        for message in self.connections[name].arrived:
            if isinstance(message, dict) and "method" in message and self._relevant(name, message):
                return message
        return None

    def _match(self, expected, actual, path):
        if isinstance(expected, dict) and "$bind" in expected:
            name = expected["$bind"]
            if self.bound.setdefault(name, actual) != actual:
                raise Failed(f"{path}: {brief(actual)}, but {name} was {brief(self.bound[name])}")
        elif isinstance(expected, dict) and "$any" in expected:
            if not TYPES[expected["$any"]](actual):
                raise Failed(f"{path}: {brief(actual)} is no {expected['$any']}")
        elif isinstance(expected, dict) and isinstance(actual, dict):
            for member, value in expected.items():
                if value == ABSENT:
                    if member in actual:
                        raise Failed(f"{path}.{member}: {brief(actual[member])}, but nothing was expected")
                    continue
                if member not in actual:
                    raise Failed(f"{path}.{member}: missing in {brief(actual)}")
                self._match(value, actual[member], f"{path}.{member}")
        elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
            for index, value in enumerate(expected):
                self._match(value, actual[index], f"{path}[{index}]")
        else:
            wanted = self._filled(expected)
            if wanted != actual or isinstance(wanted, bool) != isinstance(actual, bool):
                raise Failed(f"{path}:\n    - {brief(wanted)}\n    + {brief(actual)}")

    def _filled(self, value):
        """The value with its words and bound names replaced; `{{port}}` alone is a number."""
        if isinstance(value, dict):
            if "$bind" in value and value["$bind"] in self.bound:
                return self.bound[value["$bind"]]
            return {str(self._filled(member)): self._filled(item) for member, item in value.items()}
        if isinstance(value, list):
            return [self._filled(item) for item in value]
        if isinstance(value, str):
            if re.fullmatch(r"\{\{(port|tlsPort|socksPort)2?\}\}", value):
                return self.words[value[2:-2]]
            return re.sub(r"\{\{(\w+)\}\}", lambda m: str(self.words[m[1]]), value)
        return value

    # Checking against openrpc.json

    def _check_request(self, message, name):
        try:
            self.document.request(message)
        except Mismatch as mismatch:
            waited = [e for line in self.expected.get(name, ()) for e in (line if isinstance(line, list) else [line])]
            answers = [e for e in waited if isinstance(e, dict) and e.get("id") == message.get("id")]
            if not any(a.get("error", {}).get("code") in REFUSED for a in answers):
                raise Failed(f"openrpc.json refuses what is sent: {mismatch}") from None

    def _check_message(self, connection, message):
        try:
            if "method" in message:
                self.document.notification(message)
            elif "error" in message:
                self.document.error(message["error"])
            else:
                method = connection.methods.get(json.dumps(message["id"]))
                if method is None:
                    raise Failed(f"a reply with an id that no request has: {brief(message)}")
                self.document.result(method, message["result"])
        except (Mismatch, KeyError) as mismatch:
            raise Failed(f"openrpc.json does not allow: {mismatch!s}\n    {brief(message)}") from None

    def _note_secrets(self, message):
        text = json.dumps(message)
        for user, password in re.findall(r"//([^/:@\"]*):([^/@\"]*)@", text):
            self._note_pair(unquote(user), unquote(password))
        if isinstance(message, dict) and isinstance(message.get("params"), dict):
            credential = message["params"].get("credential") or {}
            if isinstance(credential, dict) and "password" in credential:
                self._note_pair(credential.get("user", ""), credential["password"])

    def _note_pair(self, user, password):
        self.secrets.add(base64.b64encode(f"{user}:{password}".encode()).decode())


def brief(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 400 else text[:400] + "…"
