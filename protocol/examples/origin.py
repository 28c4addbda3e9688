"""A scripted HTTP origin on loopback: holds every request until the transcript says what to answer."""

import socket
import ssl


class Request:
    """One request that waits for its scripted reply."""

    def __init__(self, stream, head, body):
        lines = head.decode("latin-1").split("\r\n")
        self.stream = stream
        self.method, self.path, _ = lines[0].split(" ", 2)
        self.fields = [tuple(part.strip() for part in line.split(":", 1)) for line in lines[1:] if ":" in line]
        self.text = body.decode("utf-8", "replace")

    def field(self, name):
        values = [value for key, value in self.fields if key.lower() == name.lower()]
        return ", ".join(values) if values else None

    def __str__(self):
        return f"{self.method} {self.path} {dict(self.fields)} {self.text!r}"


class Stream:
    """One connection of the daemon to the origin."""

    def __init__(self, connection, queue):
        self.connection = connection
        self.queue = queue
        self.buffer = b""
        self.continued = False

    def readable(self):
        """Takes what has arrived; False at the end."""
        piece = self._received()
        self.buffer += piece or b""
        while b"\r\n\r\n" in self.buffer:
            head, rest = self.buffer.split(b"\r\n\r\n", 1)
            request = Request(self, head, b"")
            length = self._body_length(request, rest)
            if length is None:
                break
            request.text = self._body(request, rest[:length]).decode("utf-8", "replace")
            self.buffer, self.continued = rest[length:], False
            self.queue.append(request)
        return piece != b""

    def _received(self):
        """What has arrived: None when it is nothing yet, empty at the end."""
        try:
            return self.connection.recv(65536)
        except OSError:
            return b""

    def _body_length(self, request, rest):
        if (request.field("Expect") or "").lower() == "100-continue" and not self.continued:
            self.continued = True
            self.connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        if (request.field("Transfer-Encoding") or "").lower() == "chunked":
            end = rest.find(b"0\r\n\r\n")
            return None if end < 0 else end + 5
        length = int(request.field("Content-Length") or 0)
        return length if len(rest) >= length else None

    @staticmethod
    def _body(request, data):
        if (request.field("Transfer-Encoding") or "").lower() != "chunked":
            return data
        body = b""
        while data:
            size, data = data.split(b"\r\n", 1)
            body, data = body + data[: int(size, 16)], data[int(size, 16) + 2 :]
        return body

    def answer(self, method, response):
        body = response.get("text", "").encode("utf-8") * response.get("repeat", 1)
        fields = list(response.get("headers", []))
        names = {name.lower() for name, _ in fields}
        if "content-length" not in names and response["status"] not in (204, 304):
            fields.append(["Content-Length", str(len(body))])
        head = f"HTTP/1.1 {response['status']} Scripted\r\n" + "".join(f"{n}: {v}\r\n" for n, v in fields) + "\r\n"
        self.connection.sendall(head.encode("utf-8") + (b"" if method == "HEAD" else body))


class SecureStream(Stream):
    """One connection to an origin that speaks TLS; a client that stops in the handshake has asked for nothing."""

    def __init__(self, connection, queue, context):
        connection.setblocking(False)
        super().__init__(context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False), queue)

    def _received(self):
        pieces = []
        try:
            self.connection.do_handshake()
            # What is decrypted already does not make the socket readable once more.
            while not pieces or self.connection.pending():
                pieces.append(self.connection.recv(65536))
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            pass
        except OSError:
            return b""
        return b"".join(pieces) if pieces else None


def listen():
    """A listening socket on a free loopback port."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", 0))
    listener.listen(64)
    return listener
