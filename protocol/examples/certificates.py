"""Certificates of one run for the origins that speak TLS: an authority that no trust store has, and a server below it each.

Needs the `openssl` command, version 3.
"""

import atexit
import base64
import functools
import hashlib
import shutil
import ssl
import subprocess
import tempfile
from pathlib import Path

NAMES = "subjectAltName=IP:127.0.0.1,DNS:localhost"


class Certificates:
    """PEM files in a folder that goes with the process."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self._mint("root", "/CN=Transcripts root", "basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign")
        for name in ("first", "second"):
            self._mint(
                name, f"/CN={name}", NAMES, "basicConstraints=critical,CA:FALSE", "extendedKeyUsage=serverAuth",
                "keyUsage=critical,digitalSignature", issuer=("-CA", self._path("root.pem"), "-CAkey", self._path("root.key")),
            )
        self.authority = Path(self._path("root.pem")).read_text("ascii")

    def _path(self, name):
        return str(self.folder / name)

    def _mint(self, name, subject, *extensions, issuer=()):
        self._openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", self._path(name + ".key"))
        additions = [word for extension in extensions for word in ("-addext", extension)]
        self._openssl(
            "req", "-x509", "-new", "-sha256", "-days", "2", "-key", self._path(name + ".key"), "-subj", subject,
            "-out", self._path(name + ".pem"), *additions, *issuer,
        )  # fmt: skip

    @staticmethod
    def _openssl(*arguments):
        return subprocess.run(["openssl", *arguments], check=True, capture_output=True).stdout

    def context(self, name):
        """For a server that shows the certificate of this name, and not its issuer's."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self._path(name + ".pem"), self._path(name + ".key"))
        return context

    def fingerprint(self, name):
        """SHA-256 of the certificate in hexadecimal."""
        text = Path(self._path(name + ".pem")).read_text("ascii")
        return hashlib.sha256(ssl.PEM_cert_to_DER_cert(text)).hexdigest()

    def pin(self, name):
        """`sha256/` and the base64 of the SHA-256 of the public key."""
        key = self._openssl("pkey", "-in", self._path(name + ".key"), "-pubout", "-outform", "DER")
        return "sha256/" + base64.b64encode(hashlib.sha256(key).digest()).decode("ascii")


@functools.lru_cache(maxsize=None)
def minted():
    """Minted when the first transcript asks, for the whole run."""
    folder = tempfile.mkdtemp(prefix="watchword-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Certificates(folder)
