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
        self.asking = None

    def readable(self):
        """Takes what has arrived; False at the end."""
        piece = self._received()
        self.buffer += piece or b""
        self._take_requests()
        return piece != b""

    def _take_requests(self):
        while b"\r\n\r\n" in self.buffer and not self.asking:
            head, rest = self.buffer.split(b"\r\n\r\n", 1)
            request = Request(self, head, b"")
            if (request.field("Expect") or "").lower() == "100-continue" and not self.continued:
                self.asking = request
                self.queue.append(request)
                break
            length = self._body_length(request, rest)
            if length is None:
                break
            request.text = self._body(request, rest[:length]).decode("utf-8", "replace")
            self.buffer, self.continued = rest[length:], False
            self.queue.append(request)

    def _received(self):
        """What has arrived: None when it is nothing yet, empty at the end."""
        try:
            return self.connection.recv(65536)
        except OSError:
            return b""

    def _body_length(self, request, rest):
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
        asking, self.asking = self.asking, None
        if response["status"] == 100:
            self.continued = True
            self.connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
            self._take_requests()
            return
        if asking:
            self.buffer = b""  # the body does not come
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


class SocksStream(Stream):
    """One connection to a SOCKS proxy, and what goes through it: SOCKS5 that takes user and password only (RFC 1928, RFC
    1929), or SOCKS4 and SOCKS4a.

    The password and the address come as requests: `PASSWORD USER` with the password as its text, `CONNECT HOST:PORT`, of
    SOCKS4 with the user as its text. A `status` of 0 accepts.
    """

    def __init__(self, connection, queue):
        super().__init__(connection, queue)
        self.step = self._greeting

    def readable(self):
        if self.step is None:
            return super().readable()
        piece = self._received()
        self.buffer += piece or b""
        self.step()
        return piece != b""

    def _greeting(self):
        if self.buffer[:1] == b"\x04":
            return self._address_of_version_4()
        if len(self.buffer) < 2 or len(self.buffer) < 2 + self.buffer[1]:
            return
        methods, self.buffer = self.buffer[2 : 2 + self.buffer[1]], self.buffer[2 + self.buffer[1] :]
        self.connection.sendall(b"\x05\x02" if 2 in methods else b"\x05\xff")
        self.step = self._password

    def _password(self):
        user = self.buffer[2 : 2 + self.buffer[1]] if len(self.buffer) > 1 else b""
        rest = self.buffer[2 + len(user) :]
        if user and rest and len(rest) > rest[0]:
            self.buffer = b""
            self.queue.append(Request(self, b"PASSWORD " + user + b" SOCKS5", rest[1:]))

    def _address(self):
        """RFC 1928 §4, with an IPv4 address or a name."""
        if len(self.buffer) < 5:
            return
        start, length = (4, 4) if self.buffer[3] == 1 else (5, self.buffer[4])
        host, port = self.buffer[start : start + length], self.buffer[start + length : start + length + 2]
        if len(port) == 2:
            name = ".".join(map(str, host)) if start == 4 else host.decode("latin-1")
            self.buffer = b""
            self.queue.append(Request(self, f"CONNECT {name}:{int.from_bytes(port, 'big')} SOCKS5".encode(), b""))

    def _address_of_version_4(self):
        """An address 0.0.0.x says that a name follows the user (SOCKS4a)."""
        port, address, rest = self.buffer[2:4], self.buffer[4:8], self.buffer[8:].split(b"\0")
        is_name = address[:3] == b"\0\0\0"
        if len(address) == 4 and len(rest) > (2 if is_name else 1):
            host = rest[1].decode("latin-1") if is_name else ".".join(map(str, address))
            self.step, self.buffer = self._address_of_version_4, b""
            self.queue.append(Request(self, f"CONNECT {host}:{int.from_bytes(port, 'big')} SOCKS4".encode(), rest[0]))

    def answer(self, method, response):
        if self.step is None:
            super().answer(method, response)
        elif method == "PASSWORD":
            self.step = self._address
            self.connection.sendall(bytes([1, response["status"]]))
        elif self.step == self._address_of_version_4:
            self.step = None
            self.connection.sendall(bytes([0, 90 + response["status"]]) + bytes(6))
        else:
            self.step = None
            self.connection.sendall(bytes([5, response["status"], 0, 1]) + bytes(6))


def listen():
    """A listening socket on a free loopback port."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", 0))
    listener.listen(64)
    return listener
