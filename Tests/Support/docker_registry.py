"""Debian's docker-registry with a password, and an image for it."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path
from typing import Any

from Support import loopback
from Support.child_process import ChildProcess

CONFIGURATION = """
version: 0.1
log: {{level: error}}
storage: {{filesystem: {{rootdirectory: {storage}}}}}
http: {{addr: "127.0.0.1:{port}"}}
auth: {{htpasswd: {{realm: registry, path: {users}}}}}
"""


class DockerRegistry:
    def __init__(self, directory: Path, user: str, password: str) -> None:
        directory.mkdir(parents=True)
        (port,) = loopback.free_ports(1)
        users = directory / "users"
        # docker-registry takes bcrypt only, which Debian's crypt has.
        crypt = ["perl", "-e", "print crypt($ARGV[0], q($2y$05$abcdefghijklmnopqrstuu))", password]
        hashed = subprocess.run(crypt, capture_output=True, check=True, text=True).stdout
        users.write_text(f"{user}:{hashed}\n")
        configuration = directory / "config.yml"
        configuration.write_text(CONFIGURATION.format(storage=directory / "storage", port=port, users=users))
        self.host = f"127.0.0.1:{port}"
        self.process = ChildProcess(
            ["/usr/bin/docker-registry", "serve", str(configuration)], directory / "output.log"
        )
        self.process.wait_until(lambda: loopback.accepts(port))

    def stop(self) -> None:
        self.process.stop()


def make_image(directory: Path) -> Path:
    """An image layout (OCI) with an empty layer."""
    blobs = directory / "blobs" / "sha256"
    blobs.mkdir(parents=True)

    def blob(kind: str, data: bytes) -> dict[str, Any]:
        digest = hashlib.sha256(data).hexdigest()
        (blobs / digest).write_bytes(data)
        return {
            "mediaType": f"application/vnd.oci.image.{kind}",
            "digest": f"sha256:{digest}",
            "size": len(data),
        }

    layer = blob("layer.v1.tar", bytes(1024))
    settings = {
        "architecture": "amd64",
        "os": "linux",
        "rootfs": {"type": "layers", "diff_ids": [layer["digest"]]},
    }
    config = blob("config.v1+json", json.dumps(settings).encode())
    manifest = {"schemaVersion": 2, "config": config, "layers": [layer]}
    index = {"schemaVersion": 2, "manifests": [blob("manifest.v1+json", json.dumps(manifest).encode())]}
    (directory / "index.json").write_text(json.dumps(index))
    (directory / "oci-layout").write_text('{"imageLayoutVersion": "1.0.0"}')
    return directory
