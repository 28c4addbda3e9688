#!/usr/bin/env python3
"""Shows the main job with the built programs: demo.py WATCHWORDD WATCHWORD

A protected origin and a private daemon are started; a fetch is challenged and answered; another process
fetches and is not asked; ``watchword status`` tells what happened. Exits with 1 when anything is not as it
should be. Needs nothing but Python 3.9: the package is taken from the folder beside this one.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "src"))

from protected_origin import PASSWORD, USER  # noqa: E402

import watchword  # noqa: E402

SESSION = "demo"


class Unexpected(Exception):
    """Something is not as it should be."""


def expect(condition: bool, what: str) -> None:
    if not condition:
        raise Unexpected(what)


def say(text: str) -> None:
    print(text, flush=True)


def first_fetches(path: str, urls: list[str]) -> None:
    """Fetches each URL; every one is challenged once."""
    asked: list[str] = []

    def on_challenge(challenge: watchword.Challenge) -> watchword.Answer:
        asked.append(challenge.authentication_method)
        say(f"  <- challenge  {challenge}")
        say(f"  -> reply      useCredential, user {USER}, password <secret>")
        return watchword.use_credential(USER, PASSWORD)

    with watchword.Client(path) as client:
        session = client.session(SESSION, on_challenge=on_challenge)
        for url in urls:
            asked.clear()
            say(f"\nfetch {url}")
            response = session.fetch(url, metrics=True)
            say(f"  {response.status}  {response.text.strip()}")
            exchanges = [exchange.status for exchange in response.metrics.exchanges] if response.metrics else []
            say(f"  exchanges with the origin: {len(exchanges)} {exchanges}")
            expect(response.status == 200, "the fetch should have succeeded")
            expect("welcome" in response.text, "the body should be the protected one")
            expect(asked == [url.split("/")[3]], f"one challenge was expected, not {asked}")
            expect(len(exchanges) == 2, "a refused and an accepted exchange were expected")


def second_fetches(path: str, urls: list[str]) -> None:
    """The same from another process: no challenge is raised, and each fetch is one exchange."""

    def on_challenge(challenge: watchword.Challenge) -> watchword.Answer:
        raise Unexpected(f"asked again: {challenge}")

    with watchword.Client(path) as client:
        session = client.session(SESSION, on_challenge=on_challenge)
        for url in urls:
            response = session.fetch(url, metrics=True)
            exchanges = len(response.metrics.exchanges) if response.metrics else 0
            say(f"  pid {os.getpid()}  {response.status}  {response.text.strip()}  (not asked, {exchanges} exchange)")
            expect(response.status == 200, "the fetch should have succeeded")
            expect(exchanges == 1, "a known credential should cost one exchange")


def run(watchwordd: str, command: str) -> None:
    with tempfile.TemporaryDirectory(prefix="watchword-demo-") as directory:
        path = os.path.join(directory, "watchword.sock")
        processes: list[subprocess.Popen[str]] = []

        # Without the configuration file of the person who looks at it.
        environment = {**os.environ, "XDG_CONFIG_HOME": directory}

        def begin(*arguments: str | Path) -> subprocess.Popen[str]:
            processes.append(subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, env=environment))
            return processes[-1]

        try:
            origin = begin(sys.executable, HERE / "protected_origin.py")
            daemon = begin(watchwordd, "--socket", path)
            assert origin.stdout is not None
            assert daemon.stdout is not None
            port = int(origin.stdout.readline())
            say(f"protected origin   http://127.0.0.1:{port}")
            ready = daemon.stdout.readline().strip()
            say(f"watchwordd         {ready or 'ended before it was ready'}")
            expect(ready == f"listening on {path}", "the daemon should say where it listens")

            urls = [f"http://127.0.0.1:{port}/{method}/report.txt" for method in ("basic", "digest")]
            first_fetches(path, urls)

            say(f"\nanother process, the same session ({SESSION})")
            second = subprocess.run([sys.executable, __file__, "--second", path, *urls], check=False)
            expect(second.returncode == 0, "the second process should have succeeded")

            say("\nwatchword status")
            status = subprocess.run(
                [command, "status", "--socket", path], check=False, text=True, stdout=subprocess.PIPE
            )
            say("".join(f"  {line}\n" for line in status.stdout.splitlines()).rstrip())
            expect(status.returncode == 0, "watchword status should have succeeded")
            expect(SESSION in status.stdout, "the status should show the session")
            expect(PASSWORD not in status.stdout, "the status must not show a password")

            with watchword.Client(path) as client:
                client.shut_down()
            expect(daemon.wait(10) == 0, "the daemon should have stopped cleanly")
            say("\nas expected")
        finally:
            for process in reversed(processes):
                if process.poll() is None:
                    process.terminate()
                process.wait(10)
                assert process.stdout is not None
                process.stdout.close()


def main() -> int:
    try:
        if sys.argv[1:2] == ["--second"] and len(sys.argv) > 3:
            second_fetches(sys.argv[2], sys.argv[3:])
        elif len(sys.argv) == 3:
            run(sys.argv[1], sys.argv[2])
        else:
            print("usage: demo.py WATCHWORDD WATCHWORD", file=sys.stderr)
            return 2
    except (Unexpected, watchword.WatchwordError, OSError, ValueError, subprocess.TimeoutExpired) as error:
        print(f"demo: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
