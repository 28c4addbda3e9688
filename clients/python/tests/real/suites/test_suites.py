"""The own tests of requests and httpx over Watchword: what fails is exactly what the lists say."""

from __future__ import annotations

import json
import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
CLIENT = HERE.parents[2]
#: A test or a file of tests in a list.
ENTRY = re.compile(r"^- `([^`]+)`$")


@dataclass
class Differences:
    """A list: the tests that are not run, and those that fail."""

    left_out: list[str] = field(default_factory=list)
    failing: list[str] = field(default_factory=list)


def read_list(text: str) -> Differences:
    """Every entry stands below a heading of the third level and a sentence, which are its reason."""
    read = Differences()
    parts: dict[str, list[str]] = {"Not run": read.left_out, "Different": read.failing}
    entries: list[str] | None = None
    heading = reason = False
    for line in text.splitlines():
        entry = ENTRY.match(line)
        if line.startswith("## "):
            entries, heading = parts[line[3:]], False
        elif line.startswith("### "):
            heading, reason = True, False
        elif entry is None:
            reason = reason or bool(line)
        else:
            assert entries is not None, f"{entry[1]} has no part"
            assert heading, f"{entry[1]} has no heading"
            assert reason, f"{entry[1]} has no reason"
            entries.append(entry[1])
    assert len(set(entries_of(read))) == len(entries_of(read))
    return read


def entries_of(read: Differences) -> list[str]:
    return [*read.left_out, *read.failing]


def pattern_of(entry: str) -> re.Pattern[str]:
    """One test with all of its cases, or the case that the entry names. A ``*`` is any text."""
    cases = "" if entry.endswith("]") else r"(\[.*\])?"
    return re.compile(".*".join(map(re.escape, entry.split("*"))) + cases)


def faults(listed: Differences, results: Any) -> list[str]:
    """What is not as the list says."""
    outcomes: dict[str, str] = results["outcomes"]
    failed = {test for test, outcome in outcomes.items() if outcome == "failed"}
    missing = set(listed.left_out) - set(results["leftOut"])
    told = [f"listed as not run, and not there: {entry}" for entry in sorted(missing)]
    unlisted = set(failed)
    for entry in listed.failing:
        matching = {test for test in outcomes if pattern_of(entry).fullmatch(test)}
        told += [f"listed as different, and {outcomes[test]}: {test}" for test in sorted(matching - failed)]
        unlisted -= matching
        if not matching:
            told.append(f"listed as different, and not there: {entry}")
    return told + [f"failed: {test}" for test in sorted(unlisted)]


@pytest.fixture
def environment() -> Path:
    """The one that Tests/install makes for these suites."""
    if not os.environ.get("WATCHWORD_SUITES"):
        pytest.skip("WATCHWORD_SUITES names no environment with the sources of requests and httpx")
    return Path(os.environ["WATCHWORD_SUITES"])


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("suite", "fewest_passed", "fewest_exchanges"), [("requests", 566, 255), ("httpx", 1240, 60)])
def test_a_suite_fails_where_the_list_says(
    environment: Path, daemon: str, tmp_path: Path, suite: str, fewest_passed: int, fewest_exchanges: int
) -> None:
    python = environment / "bin" / "python"
    version = f"import importlib.metadata as metadata; print(metadata.version({suite!r}))"
    installed = subprocess.run([python, "-c", version], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    listed = read_list((HERE / f"{suite}.md").read_text())
    (tmp_path / "orders.json").write_text(json.dumps({"leftOut": listed.left_out}))
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "PYTHON"))}
    for name in ("CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"):
        variables.pop(name, None)
    variables |= {
        "PYTHONPATH": os.pathsep.join(map(os.fspath, (CLIENT / "src", HERE, CLIENT.parents[1] / "Tests"))),
        "PYTHONDONTWRITEBYTECODE": "1",
        "SUITE": suite,
        "SUITE_ORDERS": os.fspath(tmp_path / "orders.json"),
        "SUITE_RESULTS": os.fspath(tmp_path / "results.json"),
        "WATCHWORD_SOCKET": daemon,
    }
    options = ["-q", "-p", "no:cacheprovider", "-p", "over_watchword", "--timeout", "60", "--tb", "short", "tests"]
    ended = subprocess.run(
        [python, "-m", "pytest", *options],
        cwd=environment / "sources" / f"{suite}-{installed}",
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,  # without a terminal nobody is asked for a password
    )
    assert (tmp_path / "results.json").exists(), ended.stdout
    results = json.loads((tmp_path / "results.json").read_text())
    found = faults(listed, results)
    assert not found, "\n".join([*found, ended.stdout])
    assert list(results["outcomes"].values()).count("passed") >= fewest_passed
    assert results["exchanges"] >= fewest_exchanges


def test_a_list_says_what_is_wrong() -> None:
    listed = read_list(
        "# About\n\n## Not run\n\n### A\n\nB.\n\n- `x.py`\n\n## Different\n\n### C\n\nD.\n\n- `y::a`\n- `y::b[*-1]`\n"
    )
    assert listed == Differences(["x.py"], ["y::a", "y::b[*-1]"])
    right = {"y::a[0]": "failed", "y::a[1]": "failed", "y::ab": "passed", "y::b[2-1]": "failed", "y::b[2-2]": "passed"}
    assert faults(listed, {"outcomes": right, "leftOut": ["x.py"]}) == []
    wrong = {**right, "y::a[0]": "passed", "y::b[2-2]": "failed"}
    assert faults(listed, {"outcomes": wrong, "leftOut": []}) == [
        "listed as not run, and not there: x.py",
        "listed as different, and passed: y::a[0]",
        "failed: y::b[2-2]",
    ]
    assert faults(listed, {"outcomes": {}, "leftOut": ["x.py"]}) == [
        "listed as different, and not there: y::a",
        "listed as different, and not there: y::b[*-1]",
    ]
    for text in ("## Different\n\n- `y`\n", "## Different\n\n### A\n\n- `y`\n", "- `y`\n"):
        with pytest.raises(AssertionError):
            read_list(text)
