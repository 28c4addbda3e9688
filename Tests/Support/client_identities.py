"""Client certificates of several authorities, minted for one run with the openssl command."""

from __future__ import annotations

import base64
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PASSPHRASE = "sentinel7f3aQ-passphrase"
CLIENT = "extendedKeyUsage=clientAuth\nkeyUsage=digitalSignature\n"


def _openssl(*arguments: str, days_ago: int = 0) -> None:
    clock = ["faketime", f"{days_ago} days ago"] if days_ago else []
    subprocess.run([*clock, "openssl", *arguments], check=True, capture_output=True)


@dataclass(frozen=True)
class ClientIdentity:
    """A client certificate and its key in the forms in which callers bring them."""

    name: str
    certificate: Path
    key: Path

    @property
    def plain(self) -> dict[str, Any]:
        return {"certificates": self.certificate.read_text(), "privateKey": self.key.read_text()}

    @property
    def locked(self) -> dict[str, Any]:
        """With an encrypted key, and without its passphrase."""
        locked = self.key.with_suffix(".locked.key")
        if not locked.exists():
            _openssl(
                *("pkcs8", "-topk8", "-in", str(self.key), "-passout", f"pass:{PASSPHRASE}"),
                *("-out", str(locked)),
            )
        return {**self.plain, "privateKey": locked.read_text()}

    @property
    def pkcs12(self) -> dict[str, Any]:
        file = self.key.with_suffix(".p12")
        if not file.exists():
            _openssl(
                *("pkcs12", "-export", "-in", str(self.certificate), "-inkey", str(self.key)),
                *("-passout", f"pass:{PASSPHRASE}", "-out", str(file)),
            )
        return {"pkcs12": base64.b64encode(file.read_bytes()).decode(), "passphrase": PASSPHRASE}


class ClientAuthority:
    """An authority that a server takes client certificates of."""

    def __init__(
        self,
        directory: Path,
        name: str,
        issuer: ClientAuthority | None = None,
        extensions: tuple[str, ...] = (),
    ) -> None:
        """Its own root, or certified by `issuer`."""
        signer = ("-CA", str(issuer.certificate), "-CAkey", str(issuer._key)) if issuer else ()
        self.name = name
        self.directory = directory / name
        self.directory.mkdir(parents=True)
        self.certificate: Path = self.directory / "authority.pem"
        self._key: Path = self.directory / "authority.key"
        _openssl(
            *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
            *("-days", "2", "-subj", f"/O=Watchword/CN={name}", "-keyout", str(self._key)),
            *("-out", str(self.certificate), "-addext", "basicConstraints=critical,CA:TRUE"),
            *("-addext", "keyUsage=critical,keyCertSign,cRLSign"),
            *(part for extension in extensions for part in ("-addext", extension)),
            *signer,
        )

    @property
    def distinguished_name(self) -> str:
        return f"CN={self.name},O=Watchword"

    def issue(
        self,
        name: str,
        key: tuple[str, ...] = ("ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
        extensions: str = CLIENT,
        days: int = 2,
    ) -> ClientIdentity:
        """A certificate for the client `name`; a negative number of days makes it expired."""
        made = ClientIdentity(name, self.directory / f"{name}.pem", self.directory / f"{name}.key")
        request, file = self.directory / f"{name}.csr", self.directory / f"{name}.ext"
        file.write_text(f"basicConstraints=CA:FALSE\n{extensions}")
        _openssl(
            *("req", "-newkey", *key, "-nodes", "-subj", f"/CN={name}", "-keyout", str(made.key)),
            *("-out", str(request)),
        )
        self._sign(name, days, made.certificate)
        return made

    def renew(self, identity: ClientIdentity, days: int) -> Path:
        """Another certificate for the same key."""
        renewed = identity.certificate.with_suffix(f".{days}.pem")
        self._sign(identity.name, days, renewed)
        return renewed

    def _sign(self, name: str, days: int, certificate: Path) -> None:
        request, file = self.directory / f"{name}.csr", self.directory / f"{name}.ext"
        # OpenSSL 3.5 makes no certificate that ends before it begins.
        days_ago = max(0, 1 - days)
        _openssl(
            *("x509", "-req", "-in", str(request), "-CA", str(self.certificate), "-CAkey", str(self._key)),
            *("-CAcreateserial", "-days", str(days + days_ago), "-sha256", "-extfile", str(file)),
            *("-out", str(certificate)),
            days_ago=days_ago,
        )
