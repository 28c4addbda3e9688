"""nginx with HTTP/2 over TLS: prints its port and its own certificate."""

from __future__ import annotations

import os
from pathlib import Path

from Support import loopback
from Support.child_process import ChildProcess
from Support.for_swift.program import ELLIPTIC, folder, openssl, serve_until_told

CONFIGURATION = """
{user}
daemon off; worker_processes 1; pid {run}/pid; error_log stderr crit;
events {{ worker_connections 512; }}
http {{
  access_log off; keepalive_requests 100000; client_max_body_size 64m;
  client_body_temp_path {run}/t1; proxy_temp_path {run}/t2; fastcgi_temp_path {run}/t3;
  uwsgi_temp_path {run}/t4; scgi_temp_path {run}/t5;
  server {{
    listen 127.0.0.1:{port} ssl http2; ssl_certificate {run}/cert.pem; ssl_certificate_key {run}/key.pem;
    root {run}/root;
    location /method {{ return 200 "$request_method $content_length $http_x_empty $server_protocol"; }}
  }}
}}
"""


def main() -> None:
    with folder() as here:
        openssl(
            *("req", "-x509", "-newkey", *ELLIPTIC, "-nodes", "-days", "3", "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=DNS:localhost", "-keyout", "key.pem", "-out", "cert.pem"),
        )
        root = Path("root")
        (root / "logs").mkdir(parents=True)
        (root / "small").write_text("small")
        (root / "large").write_bytes(b"0123456789abcdef" * (32 << 16))
        [port] = loopback.free_ports(1)
        user = "user root;" if os.geteuid() == 0 else ""
        Path("nginx.conf").write_text(CONFIGURATION.format(run=here, port=port, user=user))
        command = ["/usr/sbin/nginx", "-p", str(here), "-c", str(here / "nginx.conf")]
        nginx = ChildProcess(command, here / "log")
        nginx.wait_until(lambda: loopback.accepts(port))
        print(port)
        print(Path("cert.pem").read_text(), end="")
        serve_until_told()
        nginx.stop()


main()
