"""A private certificate authority, minted for one run with the openssl command."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Identity:
    """A certificate and its key, both PEM files."""

    certificate: Path
    key: Path


def _openssl(*arguments: str) -> None:
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)


def _new_key(path: Path) -> None:
    _openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", str(path))


class Authority:
    """Issues certificates below a root that is known in this run only."""

    def __init__(
        self, directory: Path, below: Identity | None = None, name: str = "Watchword test root"
    ) -> None:
        self.directory = directory
        directory.mkdir(parents=True, exist_ok=True)
        if below:
            self.certificate, self.key = below.certificate, below.key
            return
        self.key = directory / "root.key"
        self.certificate = directory / "root.pem"
        _new_key(self.key)
        _openssl(
            *("req", "-x509", "-new", "-key", str(self.key), "-sha256", "-days", "2"),
            *("-subj", f"/CN={name}", "-out", str(self.certificate)),
            *("-addext", "basicConstraints=critical,CA:TRUE"),
            *("-addext", "keyUsage=critical,keyCertSign,cRLSign"),
        )

    @property
    def pem(self) -> str:
        return self.certificate.read_text()

    def issue(
        self, name: str = "localhost", alternatives: str = "DNS:localhost,IP:127.0.0.1", extensions: str = ""
    ) -> Identity:
        """A server certificate for `name`, valid for two days and for the alternative names given."""
        return self._sign(
            name,
            f"subjectAltName={alternatives}\nextendedKeyUsage=serverAuth\n"
            f"basicConstraints=CA:FALSE\nkeyUsage=digitalSignature\n{extensions}",
        )

    def subordinate(self, name: str, key: Path | None = None) -> Authority:
        """An authority that this one has issued; its key is made, unless one is given."""
        extensions = "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n"
        return Authority(self.directory, self._sign(name, extensions, key))

    def _sign(self, name: str, extensions: str, key: Path | None = None) -> Identity:
        stem = str(self.directory / name.replace(" ", "-"))
        request, settings, certificate = Path(stem + ".csr"), Path(stem + ".ext"), Path(stem + ".pem")
        if key is None:
            key = Path(stem + ".key")
            _new_key(key)
        _openssl("req", "-new", "-key", str(key), "-subj", f"/CN={name}", "-out", str(request))
        settings.write_text(extensions)
        _openssl(
            *("x509", "-req", "-in", str(request), "-CA", str(self.certificate), "-CAkey", str(self.key)),
            *("-CAcreateserial", "-days", "2", "-sha256", "-extfile", str(settings)),
            *("-out", str(certificate)),
        )
        return Identity(certificate, key)
