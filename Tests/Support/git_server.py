"""A git repository behind a password: nginx, fcgiwrap and `git http-backend`."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from Support import loopback
from Support.certificates import Authority
from Support.child_process import ChildProcess
from Support.nginx import Nginx

#: With a realm of its own; `rest` is what follows `/`.
HOST = """
  server {{
    listen 127.0.0.1:{plain}; listen 127.0.0.1:{tls} ssl;
    location ~ ^(/.*)$ {{
      auth_basic "code"; auth_basic_user_file {users};
      fastcgi_pass unix:{socket};
      fastcgi_param SCRIPT_FILENAME /usr/lib/git-core/git-http-backend;
      fastcgi_param GIT_PROJECT_ROOT {root}; fastcgi_param GIT_HTTP_EXPORT_ALL 1;
      fastcgi_param GIT_CONFIG_NOSYSTEM 1; fastcgi_param HOME {root};
      fastcgi_param PATH_INFO $1; fastcgi_param REMOTE_USER $remote_user;
      fastcgi_param QUERY_STRING $query_string; fastcgi_param REQUEST_METHOD $request_method;
      fastcgi_param CONTENT_TYPE $content_type; fastcgi_param CONTENT_LENGTH $content_length;
    }}
  }}
"""


def run_git(*arguments: str, directory: Path) -> None:
    """With no configuration but its own."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(directory),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@a.example",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@a.example",
    }
    subprocess.run(["git", *arguments], cwd=directory, env=environment, check=True, capture_output=True)


class GitServer:
    """`app.git` and `other.git`, each with one commit; pushes are accepted."""

    def __init__(self, directory: Path, authority: Authority, user: str, password: str) -> None:
        directory.mkdir(parents=True)
        root, socket = directory / "repositories", directory / "fcgi.sock"
        root.mkdir()
        for name in ("app", "other"):
            work = root / f"{name}-work"
            run_git("init", "-q", "-b", "main", str(work), directory=root)
            (work / "file").write_text("content\n")
            run_git("add", "file", directory=work)
            run_git("commit", "-q", "-m", "first", directory=work)
            run_git("clone", "-q", "--bare", str(work), f"{name}.git", directory=root)
            run_git("config", "http.receivepack", "true", directory=root / f"{name}.git")
        self.gateway = ChildProcess(["/usr/sbin/fcgiwrap", "-s", f"unix:{socket}"], directory / "fcgi.log")
        self.gateway.wait_until(socket.exists)
        # The account that nginx changes to.
        socket.chmod(0o666)
        plain, tls = loopback.free_ports(2)
        users = directory / "code.users"
        users.write_text(f"{user}:{{PLAIN}}{password}\n")
        host = HOST.format(plain=plain, tls=tls, users=users, socket=socket, root=root)
        self.nginx = Nginx(directory / "nginx", authority, user, password, settings=host)
        self.plain, self.tls = f"http://127.0.0.1:{plain}", f"https://localhost:{tls}"

    def stop(self) -> None:
        self.nginx.stop()
        self.gateway.stop()
