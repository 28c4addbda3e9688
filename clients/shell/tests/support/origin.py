"""Serves pages.py on a loopback port of its own and prints the port.

origin.py [CERTIFICATE KEY]   With the files of a certificate it speaks TLS.
"""

import ssl
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from pages import CUT, page


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        status, fields, content = page(
            self.command, self.path, self.headers.get("Authorization"), self.headers.get("Content-Type"), body
        )
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value.encode("utf-8").decode("latin-1"))
        self.close_connection = self.path == CUT
        self.send_header("Content-Length", str(len(content) * (2 if self.path == CUT else 1)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_HEAD = answer

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    def handle_error(self, *_):
        pass  # a handshake that was stopped, or a fetch


class SecureServer(Server):
    def get_request(self):
        connection, address = super().get_request()
        return context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False), address


if len(sys.argv) > 1:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
server = (SecureServer if len(sys.argv) > 1 else Server)(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
