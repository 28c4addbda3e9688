"""A package index of Python: nginx, with one package."""

from __future__ import annotations

import zipfile
from pathlib import Path

from Support import loopback
from Support.certificates import Authority
from Support.nginx import Nginx

INDEX = """
  server {{
    listen 127.0.0.1:{port}; root {root}; default_type text/html; index index.html;
    auth_basic "index"; auth_basic_user_file {users};
    location /legacy/ {{ proxy_method GET; proxy_pass http://127.0.0.1:{port}/simple/greeting/; }}
  }}
"""


class PackageIndex:
    """A package index behind a password that also takes uploads."""

    def __init__(self, directory: Path, authority: Authority, user: str, password: str) -> None:
        root, users = directory / "index", directory / "index.users"
        page = root / "simple" / "greeting"
        page.mkdir(parents=True)
        wheel = "greeting-1.0-py3-none-any.whl"
        (page / "index.html").write_text(f'<!DOCTYPE html><html><a href="{wheel}">{wheel}</a></html>')
        with zipfile.ZipFile(page / wheel, "w") as archive:
            archive.writestr("greeting.py", "text = 'hello'\n")
            archive.writestr(
                "greeting-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: greeting\nVersion: 1.0\n"
            )
            archive.writestr(
                "greeting-1.0.dist-info/WHEEL",
                "Wheel-Version: 1.0\nGenerator: a\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            )
            archive.writestr("greeting-1.0.dist-info/RECORD", "")
        self.wheel = page / wheel
        users.write_text(f"{user}:{{PLAIN}}{password}\n")
        (port,) = loopback.free_ports(1)
        self.nginx = Nginx(
            directory / "nginx", authority, user, password, INDEX.format(port=port, root=root, users=users)
        )
        self.host = f"127.0.0.1:{port}"
        self.url = f"http://{self.host}/simple/"
