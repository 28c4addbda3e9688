"""The local servers of a run: nginx, Apache for Digest, squid as a proxy; and what origins have logged."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from Benchmarks.callers import Target
from Support import documents, loopback
from Support.apache import Apache
from Support.certificates import Authority
from Support.client_identities import ClientAuthority
from Support.nginx import Nginx
from Support.squid import Squid

USER, PASSWORD = "reader", "open sesame"
#: A server as it is set up for speed: a reply in one packet, documents kept open.
SETTINGS = "tcp_nopush on; open_file_cache max=100 inactive=600s; open_file_cache_valid 600s;"
#: A server of nginx that keeps what is sent to it, whatever its size.
STORE = """
  server {{
    listen 127.0.0.1:{port}; root {root};
    dav_methods PUT; client_max_body_size 0;
  }}
"""
#: The documents beside those of the tests: a page that fits into one packet, and a smaller large body.
PAGE, PAGE_BYTES = "page", b"the watchword is known; " * 8 + b"go ahead"
SMALLER, SMALLER_MEBIBYTES = "64m", 64
#: A server writes its last lines after its last replies have gone.
SETTLING_SECONDS = 5.0
#: Debian's.
SYSTEM_ROOTS = Path("/etc/ssl/certs/ca-certificates.crt")


@dataclass(frozen=True)
class Site:
    """Where the documents are; it travels to the measuring processes as JSON."""

    targets: dict[str, Target]
    logs: list[str]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Site:
        return cls({name: Target(**target) for name, target in value["targets"].items()}, value["logs"])

    def logged(self, at_least: int = 0) -> int:
        """Exchanges so far, when their number has settled at that many or more."""
        limit = time.monotonic() + SETTLING_SECONDS
        before = -1
        while True:
            now = sum(Path(log).read_bytes().count(b"\n") for log in self.logs)
            if (now >= at_least and now == before) or time.monotonic() > limit:
                return now
            before = now
            time.sleep(0.02)


@contextmanager
def serving(directory: Path, tiny: bool) -> Iterator[Site]:
    """Starts them; `tiny` makes the large document a smaller one."""
    authority = Authority(directory / "authority")
    clients = ClientAuthority(directory, "clients")
    client = clients.issue("reader")
    store = directory / "store"
    store.mkdir(mode=0o777)
    port = loopback.free_ports(1)[0]
    settings = SETTINGS + STORE.format(port=port, root=store)
    with ExitStack() as running:
        nginx = Nginx(directory / "nginx", authority, USER, PASSWORD, settings, clients.certificate)
        running.callback(nginx.stop)
        apache = Apache(directory / "apache", USER, PASSWORD)
        running.callback(apache.stop)
        squid = Squid(directory / "squid", USER, PASSWORD, ("basic",))
        running.callback(squid.stop)
        bundle = directory / "bundle.pem"
        bundle.write_bytes(SYSTEM_ROOTS.read_bytes() + authority.certificate.read_bytes())
        root = directory / "nginx" / "root"
        (root / SMALLER).write_bytes(documents.binary(1 << 20) * SMALLER_MEBIBYTES)
        for folder in (root, root / "staff", directory / "apache" / "root" / "digest"):
            (folder / PAGE).write_bytes(PAGE_BYTES)
        site = _site(authority, nginx, apache, root, tiny)
        targets = site.targets
        targets["basicBundle"] = replace(targets["basic"], root=str(bundle))
        targets["mutual"] = replace(
            targets["tls"],
            url=f"{nginx.mutual}/{PAGE}",
            certificate=str(client.certificate),
            key=str(client.key),
        )
        targets["proxied"] = replace(targets["plain"], proxy=squid.url)
        url = f"http://127.0.0.1:{port}/body"
        targets["store"] = replace(targets["big"], url=url, kept=str(store / "body"))
        yield site


def _site(authority: Authority, nginx: Nginx, apache: Apache, root: Path, tiny: bool) -> Site:
    def target(origin: str, path: str, authentication: str = "none", http2: bool = False) -> Target:
        document = str(root / path.rpartition("/")[2])
        certificate = str(authority.certificate)
        return Target(f"{origin}/{path}", document, certificate, USER, PASSWORD, authentication, http2)

    big = SMALLER if tiny else "big"
    targets = {
        "plain": target(nginx.plain, PAGE),
        "tls": target(nginx.tls, PAGE),
        "http2": target(nginx.http2, PAGE, http2=True),
        "basic": target(nginx.tls, f"staff/{PAGE}", "basic"),
        "basicPlain": target(nginx.plain, f"staff/{PAGE}", "basic"),
        "digest": target(apache.steady, f"digest/{PAGE}", "digest"),
        "big": target(nginx.plain, big),
        "bigTLS": target(nginx.tls, big),
    }
    return Site(targets, [str(nginx.access_log), str(apache.access_log)])
