"""That what comments and documents cite is there: rules by number, sections, files, targets and links."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from Support.daemon import PROJECT
from Support.pages import all_pages

PROTOCOL = PROJECT / "protocol"
SOURCES = PROJECT / "Sources"

#: Where comments and documents cite a rule. This file has examples of citations that must fail.
CITING = [
    *(
        f"{folder}/**/*.{ending}"
        for folder in ("Sources", "Tests", "clients")
        for ending in ("swift", "h", "c")
    ),
    *(f"{folder}/**/*.{ending}" for folder in ("Tests", "clients", "protocol") for ending in ("py", "sh")),
    *("README.md", "Sources/**/*.md", "Tests/**/*.md", "clients/**/*.md", "protocol/**/*.md", ".github/*.md"),
]
NUMBER = r"\d+(?:\.\d+)*"
#: `challenges.md 6.3 and 6.4`, `[challenges.md](challenges.md), section 10`, `protocol/README.md 2.1.1`.
CITATION = re.compile(
    rf"(challenges\.md|protocol/README\.md)\)?(?:, section)? ({NUMBER}(?:(?:, | and | to ){NUMBER})*)"
)
#: A mention of the challenge rules in code, which has to say which one.
MENTION = re.compile(r"challenges\.md|[Cc]hallenges §")
SECURITY = re.compile(r'security\.md "([^"]+)"')
#: What may stand in front of a section sign: a public document, or more sections of it.
PUBLIC = re.compile(r"(?:RFC \d+(?:bis)?|JSON-RPC 2\.0|Fetch) (?:§[\d.]+[^()§]{1,40})*$")
PAGES = {"challenges.md": PROTOCOL / "challenges.md", "protocol/README.md": PROTOCOL / "README.md"}


def numbers(page: Path) -> list[str]:
    """The sections and rules of a page."""
    return re.findall(rf"^(?:##+ |- \*\*)({NUMBER})(?:\*\*)? ", page.read_text(), re.MULTILINE)


def citing() -> Iterator[tuple[str, str]]:
    """Every file that may cite, with lines of comments joined: a citation may be broken between two."""
    for path in sorted({path for pattern in CITING for path in PROJECT.glob(pattern)}):
        name = str(path.relative_to(PROJECT))
        if path != Path(__file__) and not re.search(r"(?:^|/)\.", name):
            yield name, re.sub(r"\n\s*(?:///?|#|\*)?\s*", " ", path.read_text())


@functools.cache
def citable() -> tuple[dict[str, set[str]], list[str]]:
    """The numbers of each page, and the headings of security.md: read once for thousands of files."""
    headings = re.findall(r"^## (.*)$", (PROTOCOL / "security.md").read_text(), re.MULTILINE)
    return {name: set(numbers(page)) for name, page in PAGES.items()}, headings


def dangling(text: str) -> list[str]:
    """The citations in `text` of what is not there."""
    known, headings = citable()
    missing = [
        f"{page} {number}"
        for page, cited in CITATION.findall(text)
        for number in re.findall(NUMBER, cited)
        if number not in known[page]
    ]
    return missing + [f"security.md {title}" for title in SECURITY.findall(text) if title not in headings]


def unnumbered(text: str) -> list[str]:
    """The places in code that cite a document without saying where, or one that is not here."""
    cited = {match.start() for match in CITATION.finditer(text)}
    places = [match.start() for match in MENTION.finditer(text) if match.start() not in cited]
    places += [match.start() for match in re.finditer("§", text) if not PUBLIC.search(text[: match.start()])]
    return [text[max(0, place - 40) : place + 40] for place in sorted(places)]


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def broken_links(page: Path) -> Iterator[str]:
    for target in re.findall(
        r"\]\(([^)\s]+)\)", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    ):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        other = (page.parent / name).resolve() if name else page
        headings = (
            re.findall(r"^#+ (.*)$", other.read_text(), re.MULTILINE) if anchor and other.exists() else []
        )
        if not other.exists() or (anchor and anchor not in map(slug, headings)):
            yield target


def test_rules_are_numbered_in_order() -> None:
    for page in PAGES.values():
        found = [tuple(map(int, number.split("."))) for number in numbers(page)]
        assert len(found) > 100
        assert found == sorted(set(found)), page


def test_every_rule_that_is_cited_is_there() -> None:
    texts = dict(citing())
    assert sum(len(CITATION.findall(text)) for text in texts.values()) > 100
    assert {name: missing for name, text in texts.items() if (missing := dangling(text))} == {}


def test_code_cites_rules_by_number_and_no_document_that_is_not_here() -> None:
    texts = {name: text for name, text in citing() if not name.endswith(".md")}
    assert {name: places for name, text in texts.items() if (places := unnumbered(text))} == {}


@pytest.mark.parametrize(
    "text",
    [
        "challenges.md 99",
        "challenges.md 6.3 and 6.99",
        "[challenges.md](challenges.md), section 99",
        "protocol/README.md 2.99.1",
        'security.md "Nowhere"',
    ],
)
def test_a_citation_of_what_is_not_there_is_found(text: str) -> None:
    assert dangling(f"/// A comment ({text}).") != []


@pytest.mark.parametrize("text", ["challenges §6", "see challenges.md", "security, §3", "(§7.4)"])
def test_a_citation_without_a_number_is_found(text: str) -> None:
    assert unnumbered(f"/// A comment ({text}).") != []


def test_the_files_that_the_overview_names_are_there() -> None:
    text = (SOURCES / "README.md").read_text()
    files = re.findall(r"`([\w+\-/]+\.(?:swift|c|h)|Watchword\w+/[\w/]+)`", text)
    files.remove("Package.swift")
    assert len(files) > 40
    known = {path.name for path in SOURCES.rglob("*.swift")}
    missing = [name for name in files if not (SOURCES / name).exists() and ("/" in name or name not in known)]
    assert missing == []


def test_the_overview_names_the_imports_of_every_target() -> None:
    package = (PROJECT / "Package.swift").read_text().split("// What several test targets need.")[0]
    declared = {
        name: {
            other
            for other in re.findall(r'(?<!name: )"([\w-]+)"(?!:)', imports)
            if not other.startswith("swift-")
        }
        for name, imports in re.findall(
            r'(?:library\(\s*|name: )"([\w-]+)",\s*(?:dependencies: )?\[(.*?)\]', package, re.DOTALL
        )
    }
    table = (SOURCES / "README.md").read_text().split("## Targets")[1].split("##")[0]
    rows = [line.split("|") for line in table.splitlines() if line.startswith("| `")]
    shown = {
        name: set(re.findall(r"`([^`]+)`", row[3]))
        for row in rows
        for name in re.findall(r"`([^`]+)`", row[1])
    }
    assert {name: imports for name, imports in shown.items() if imports} == {
        name: imports for name, imports in declared.items() if imports
    }
    assert {path.name for path in SOURCES.iterdir() if path.is_dir()} == set(shown)


def section(title: str) -> str:
    """A section of the specification with its subsections."""
    return re.split(rf"^## \d+ {title}$", (PROTOCOL / "README.md").read_text(), flags=re.M)[1].split("\n## ")[
        0
    ]


def test_the_errors_of_the_specification_are_those_of_the_table() -> None:
    rows = re.findall(r"^\| (-?\d+) \| `(\w+)` \| `(\w+)` \| (.*) \|$", section("Errors"), re.MULTILINE)
    errors = json.loads((PROTOCOL / "errors.json").read_text())
    assert [(int(code), kind, retry, text.replace("`", "")) for code, kind, retry, text in rows] == [
        (error["code"], error["kind"], error["retry"], error["meaning"]) for error in errors
    ]


def test_every_method_and_notification_is_in_the_specification() -> None:
    document = json.loads((PROTOCOL / "openrpc.json").read_text())
    text = (PROTOCOL / "README.md").read_text()
    names = [entry["name"] for entry in document["methods"] + document["x-notifications"]]
    assert len(names) > 40
    assert [name for name in names if f"`{name}`" not in text] == []
    shown = set(re.findall(r"^\| `([\w/]+)` \|", section("Notifications"), re.MULTILINE))
    assert shown == {
        entry["name"] for entry in document["x-notifications"] if entry["direction"] == "serverToClient"
    }


def members(schema: object) -> set[str]:
    """The names of the members of all objects in a schema."""
    if isinstance(schema, list):
        return {name for inner in schema for name in members(inner)}
    if not isinstance(schema, dict):
        return set()
    return {*schema.get("properties", ()), *members(list(schema.values()))}


def test_every_setting_is_in_the_specification() -> None:
    schema = json.loads((PROTOCOL / "openrpc.json").read_text())["components"]["schemas"][
        "SessionConfiguration"
    ]
    text = section("Session configuration")
    for name, member in schema["properties"].items():
        for setting in member.get("properties", {"": {}}):
            assert setting in text and name in text, f"{name}.{setting}"
    readers = [
        SOURCES / "WatchwordServer" / "Daemon" / "ConfigurationFile.swift",
        SOURCES / "WatchwordProtocol" / "Configuration" / "TrustPolicy+Configuration.swift",
        *(SOURCES / "WatchwordServer" / "Daemon").glob("*+Configuration.swift"),
    ]
    code = "".join(path.read_text() for path in readers)
    settings = set(re.findall(r'reader(?:\.\w+\(\s*|\[)"(\w+)"', code))
    assert {"logLevel", "access", "pkcs11Modules", "domain", "allowsCleartext", "keyFile"} <= settings
    assert settings <= members(json.loads((PROTOCOL / "configuration.json").read_text()))


@pytest.mark.parametrize("page", all_pages())
def test_links_lead_somewhere(page: str) -> None:
    assert list(broken_links(PROJECT / page)) == []
