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
    """Issues server certificates below a root that nobody outside this run knows."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        directory.mkdir(parents=True, exist_ok=True)
        self._key = directory / "root.key"
        self.certificate = directory / "root.pem"
        _new_key(self._key)
        _openssl(
            *("req", "-x509", "-new", "-key", str(self._key), "-sha256", "-days", "2"),
            *("-subj", "/CN=Watchword test root", "-out", str(self.certificate)),
            *("-addext", "basicConstraints=critical,CA:TRUE"),
            *("-addext", "keyUsage=critical,keyCertSign,cRLSign"),
        )

    @property
    def pem(self) -> str:
        return self.certificate.read_text()

    def issue(self, name: str = "localhost", alternatives: str = "DNS:localhost,IP:127.0.0.1") -> Identity:
        """A server certificate for `name`, valid for two days and for the alternative names given."""
        key = self.directory / f"{name}.key"
        request = self.directory / f"{name}.csr"
        extensions = self.directory / f"{name}.ext"
        certificate = self.directory / f"{name}.pem"
        _new_key(key)
        _openssl("req", "-new", "-key", str(key), "-subj", f"/CN={name}", "-out", str(request))
        extensions.write_text(
            f"subjectAltName={alternatives}\nextendedKeyUsage=serverAuth\n"
            "basicConstraints=CA:FALSE\nkeyUsage=digitalSignature\n"
        )
        _openssl(
            *("x509", "-req", "-in", str(request), "-CA", str(self.certificate), "-CAkey", str(self._key)),
            *("-CAcreateserial", "-days", "2", "-sha256", "-extfile", str(extensions)),
            *("-out", str(certificate)),
        )
        return Identity(certificate, key)
