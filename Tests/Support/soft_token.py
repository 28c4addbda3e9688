"""A PKCS#11 token in software (SoftHSM), and a module that fails in the ways that real ones are said to."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from Support.client_identities import PASSPHRASE, ClientIdentity
from Support.shared_library import built

MODULE = Path("/usr/lib/softhsm/libsofthsm2.so")
#: The PIN of every token here.
PIN = PASSPHRASE


class SoftToken:
    """A token with keys and certificates; `environment` is what a daemon finds it with."""

    def __init__(self, directory: Path, label: str) -> None:
        self.label = label
        self.environment = _configured(directory)
        self._run("softhsm2-util", "--init-token", "--free", "--label", label, "--so-pin", PIN, "--pin", PIN)

    def take(
        self,
        identity: ClientIdentity,
        number: int,
        certificates: tuple[Path, ...] | None = None,
        asks_always: bool = False,
    ) -> str:
        """Puts the key in, with its certificate or these; the URI that names the key.

        One that `asks_always` wants the PIN for each signature.
        """
        number_text = f"{number:02x}"
        if asks_always:
            self._write(_der(identity.key, "pkey"), number_text, "privkey", "--always-auth", "--usage-sign")
        else:
            self._run(
                *("softhsm2-util", "--import", str(identity.key), "--token", self.label, "--pin", PIN),
                *("--id", number_text, "--label", identity.name),
            )
        for index, certificate in enumerate(
            (identity.certificate,) if certificates is None else certificates
        ):
            # An issuer has an id of its own.
            at = number_text if index == 0 else f"{number + 0x80 + index:02x}"
            self.certify(certificate, at)
        return f"pkcs11:token={self.label};id=%{number_text}"

    def certify(self, certificate: Path, identifier: str) -> None:
        """Puts a certificate in, by an id in hexadecimal."""
        self._write(_der(certificate, "x509"), identifier, "cert")

    def _write(self, file: Path, number: str, kind: str, *options: str) -> None:
        self._run(
            *("pkcs11-tool", "--module", str(MODULE), "--token-label", self.label, "--login", "--pin", PIN),
            *("--write-object", str(file), "--type", kind, "--id", number, *options),
        )

    def _run(self, *command: str) -> None:
        subprocess.run(command, check=True, capture_output=True, env={**os.environ, **self.environment})


def _der(pem: Path, command: str) -> Path:
    der = pem.with_suffix(f"{pem.suffix}.der")
    subprocess.run(
        ["openssl", command, "-in", str(pem), "-outform", "der", "-out", str(der)],
        check=True,
        capture_output=True,
    )
    return der


def _configured(directory: Path) -> dict[str, str]:
    tokens = directory / "tokens"
    tokens.mkdir(parents=True, exist_ok=True)
    configuration = directory / "softhsm2.conf"
    configuration.write_text(
        f"directories.tokendir = {tokens}\nobjectstore.backend = file\nlog.level = ERROR\n"
    )
    return {"SOFTHSM2_CONF": str(configuration)}


def faulty_module() -> Path:
    """SoftHSM behind a module that does what the file named by `FAULTY_MODULE` says: see the source."""
    return built("faulty_module", ["-I/usr/include/p11-kit-1", "-ldl"])
