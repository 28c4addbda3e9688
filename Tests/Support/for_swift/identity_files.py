"""Client certificates and keys in every form that there is: prints a JSON object of the files by name."""

from __future__ import annotations

import base64
import json
from pathlib import Path

from Support.for_swift.program import ELLIPTIC, folder, openssl, serve_until_told

EC = ("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")
PASSPHRASE = ("-passout", "pass:sesame")
#: As many octets as the numbers of rounds that are refused.
FEW_ROUNDS = 65_537


def authority(name: str, subject: str, issuer: str | None = None) -> None:
    openssl(
        *("req", "-newkey", *ELLIPTIC, "-nodes", "-subj", subject),
        *("-keyout", f"{name}.key", "-out", f"{name}.csr"),
    )
    Path("e").write_text("basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n")
    sign = ("-CA", f"{issuer}.pem", "-CAkey", f"{issuer}.key") if issuer else ("-signkey", f"{name}.key")
    openssl(
        "x509", "-req", "-in", f"{name}.csr", *sign, *("-days", "30", "-extfile", "e", "-out", f"{name}.pem")
    )


def leaf(
    name: str,
    *key: str,
    usage: str = "extendedKeyUsage=clientAuth\nkeyUsage=digitalSignature\n",
    days_ago: int = 0,
) -> None:
    openssl("genpkey", *key, "-out", f"{name}.key")
    openssl("req", "-new", "-key", f"{name}.key", "-subj", f"/O=Watchword/CN={name}", "-out", f"{name}.csr")
    Path("e").write_text(f"basicConstraints=CA:FALSE\n{usage}")
    openssl(
        *("x509", "-req", "-in", f"{name}.csr", "-CA", "middle.pem", "-CAkey", "middle.key", "-days", "30"),
        *("-sha256", "-extfile", "e", "-out", f"{name}.pem"),
        days_ago=days_ago,
    )


def mint_certificates() -> None:
    authority("root", "/O=Watchword/CN=Root")
    authority("middle", "/O=Watchword/CN=Middle", issuer="root")
    leaf("ec", *EC)
    leaf("rsa", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")
    leaf("ed25519", "-algorithm", "ed25519")
    leaf("ed448", "-algorithm", "ed448")
    leaf("weak", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024")
    leaf("server", *EC, usage="extendedKeyUsage=serverAuth\n")
    leaf("agreement", *EC, usage="keyUsage=keyAgreement\n")
    leaf("bare", *EC, usage="")
    leaf("expired", *EC, days_ago=31)
    bundle("chain", "ec", "middle", "root")
    bundle("upside-down", "root", "middle", "ec")
    bundle("mixed", "root", "rsa", "middle", "ec", "middle")
    bundle("many", "ec", *["middle"] * 32)


def bundle(name: str, *parts: str) -> None:
    Path(f"{name}.pem").write_text("".join(Path(f"{part}.pem").read_text() for part in parts))


def encrypt_keys() -> None:
    def pkcs8(key: str, out: str, *options: str, may_fail: bool = False) -> None:
        openssl(
            *("pkcs8", "-topk8", "-in", f"{key}.key", *PASSPHRASE, *options, "-out", f"{out}.key"),
            may_fail=may_fail,
        )

    pkcs8("ec", "ec-pkcs8")
    pkcs8("ec", "ec-scrypt", "-scrypt")
    pkcs8("rsa", "rsa-slow", "-iter", str(FEW_ROUNDS))
    make_costly(Path("rsa-slow.key"), 2_000_001)
    pkcs8("rsa", "rsa-3des", "-v1", "PBE-SHA1-3DES")
    legacy = ("-provider", "legacy", "-provider", "default")
    pkcs8("rsa", "rsa-rc2", "-v1", "PBE-SHA1-RC2-40", *legacy, may_fail=True)
    openssl("ec", "-in", "ec.key", "-out", "ec-sec1.key")
    openssl("ec", "-in", "ec.key", "-aes256", *PASSPHRASE, "-out", "ec-traditional.key")
    openssl("rsa", "-in", "rsa.key", "-traditional", "-out", "rsa-pkcs1.key")
    openssl("rsa", "-in", "rsa.key", "-traditional", "-aes128", *PASSPHRASE, "-out", "rsa-traditional.key")


def make_costly(file: Path, rounds: int) -> None:
    """Says another number of rounds: to compute so many takes seconds, and nobody may begin to."""
    label, is_pem = "ENCRYPTED PRIVATE KEY", file.suffix == ".key"
    content = pem_to_der(file.read_text(), label) if is_pem else file.read_bytes()
    said, wanted = (b"\x02\x03" + number.to_bytes(3, "big") for number in (FEW_ROUNDS, rounds))
    if said not in content:
        raise RuntimeError(f"{file} does not say its rounds")
    content = content.replace(said, wanted)
    if is_pem:
        file.write_text(der_to_pem(content, label))
    else:
        file.write_bytes(content)


def pem_to_der(text: str, label: str) -> bytes:
    return base64.b64decode(text.partition(f"-----BEGIN {label}-----")[2].partition("-----END")[0])


def der_to_pem(content: bytes, label: str) -> str:
    return f"-----BEGIN {label}-----\n{base64.encodebytes(content).decode()}-----END {label}-----\n"


def export_pkcs12() -> None:
    export = ("pkcs12", "-export", "-inkey", "rsa.key", "-in", "rsa.pem", "-certfile", "middle.pem")
    openssl(*export, *PASSPHRASE, "-out", "new.p12")
    openssl(*export, "-passout", "pass:", "-out", "empty.p12")
    openssl(*export, *PASSPHRASE, "-nomac", "-out", "unsigned.p12")
    openssl(*export, *PASSPHRASE, "-iter", str(FEW_ROUNDS), "-out", "slow.p12")
    make_costly(Path("slow.p12"), 3_000_000)
    openssl(*export, *PASSPHRASE, "-legacy", "-out", "legacy.p12", may_fail=True)
    openssl("pkcs12", "-export", "-nokeys", "-in", "rsa.pem", *PASSPHRASE, "-out", "keyless.p12")


def text(file: Path) -> str:
    return file.read_bytes().hex() if file.suffix == ".p12" else file.read_bytes().decode("latin-1")


def main() -> None:
    with folder() as here:
        mint_certificates()
        encrypt_keys()
        export_pkcs12()
        print(json.dumps({file.name: text(file) for file in here.iterdir()}))
    serve_until_told()


main()
