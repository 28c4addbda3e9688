"""What every Apache of the tests has in common: one process, its log and its documents."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from Support import documents, loopback
from Support.child_process import ChildProcess

LIBRARY = "/usr/lib/apache2/modules"
MODULES = ("mpm_event", "authn_core", "authz_core", "authz_user", "alias")

CONFIGURATION = """
ServerRoot {run}
ServerName {host}
PidFile {run}/apache.pid
DefaultRuntimeDir {run}
Mutex file:{run} default
{listen}
{modules}
{account}
StartServers 1
ServerLimit 1
ThreadsPerChild 64
MaxRequestWorkers 64
KeepAlive On
MaxKeepAliveRequests 0
KeepAliveTimeout 300
LogLevel warn
ErrorLog {run}/error.log
LogFormat "{log}" exchange
CustomLog {run}/access.log exchange
DocumentRoot {root}
<Directory {root}>
  Require all granted
</Directory>
{rest}
"""


class ApacheProcess:
    """Serves the documents in `/` and in the folders of these names; `rest` is what its configuration adds.

    `log` is the format of a line in the access log, `wrap` what the command is run with.
    """

    def __init__(
        self,
        directory: Path,
        rest: str,
        *,
        ports: Sequence[int],
        modules: Sequence[str],
        folders: tuple[str, ...],
        log: str,
        host: str = "localhost",
        environment: Mapping[str, str] | None = None,
        wrap: Callable[[Sequence[str]], list[str]] = list,
    ) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        directory.chmod(0o755)
        documents.lay_out(directory / "root", folders)
        configuration = directory / "apache.conf"
        configuration.write_text(
            CONFIGURATION.format(
                run=directory,
                host=host,
                listen="\n".join(f"Listen 127.0.0.1:{port}" for port in ports),
                modules="\n".join(
                    f"LoadModule {name}_module {LIBRARY}/mod_{name}.so" for name in (*MODULES, *modules)
                ),
                account="User www-data\nGroup www-data" if os.geteuid() == 0 else "",
                log=log,
                root=directory / "root",
                rest=rest,
            )
        )
        self.access_log = directory / "access.log"
        command = wrap(["/usr/sbin/apache2", "-f", str(configuration), "-D", "FOREGROUND"])
        self.process = ChildProcess(command, directory / "output.log", environment)
        self.process.wait_until(lambda: loopback.accepts(ports[-1]))

    def lines(self) -> list[str]:
        """Those of the access log."""
        return self.access_log.read_text().splitlines()

    def stop(self) -> None:
        self.process.stop()
