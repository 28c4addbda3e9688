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
NUMBERS = rf"{NUMBER}(?:(?:, | and | or | to ){NUMBER})*"
#: The pages with rules. A rule is cited by its page and its number, which it keeps on another page.
PAGES = {
    name: PROTOCOL / name
    for name in (
        "README.md",
        "messages.md",
        "restricted.md",
        "challenges.md",
        "methods.md",
        "storage.md",
        "administrator.md",
        "security.md",
    )
}
#: `challenges.md 6.3 and 6.4`, `[challenges.md](challenges.md), section 10`, `protocol/README.md 1.4`.
CITATION = re.compile(
    rf"(?<![\w/-])(?:\.\./)*(?:protocol/)?({'|'.join(map(re.escape, PAGES))})\)?(?:, sections?)? ({NUMBERS})"
)
#: The same page: `rule 6.3`, `sections 2 and 3`, `(12.8)`.
AT_HOME = re.compile(
    rf"\b(?:[Rr]ules?|[Ss]ections?) ({NUMBERS})|\(({NUMBER}\.\d+(?:(?:, | and ){NUMBER})*)\)"
)
#: What cites another document, or is code.
ELSEWHERE = re.compile(
    rf"`[^`]*`|RFC \d+,? section \S+|\[[^\]]*\]\([^)]*\)(?:(?:,? sections?)? {NUMBERS})?|\w+\.md {NUMBERS}"
)
#: A mention of a page with rules in code, which has to say which rule; a name in quotes is a file's.
MENTION = re.compile(
    r"(?:messages|restricted|challenges|methods|storage|administrator)\.md(?!\")|[Cc]hallenges §"
)
#: What may stand in front of a section sign: a public document, or more sections of it.
PUBLIC = re.compile(r"(?:RFC \d+(?:bis)?|JSON-RPC 2\.0|Fetch|X\.\d+) (?:§[\d.]+[^()§]{1,40})*$")


def numbers(page: Path) -> list[str]:
    """The sections and rules of a page."""
    return re.findall(rf"^(?:##+ |- \*\*)({NUMBER})(?:\*\*)? ", page.read_text(), re.MULTILINE)


def citing() -> Iterator[tuple[str, str]]:
    """Every file that may cite, with lines of comments joined: a citation may be broken between two."""
    for path in sorted({path for pattern in CITING for path in PROJECT.glob(pattern)}):
        name = str(path.relative_to(PROJECT))
        if path != Path(__file__) and not re.search(r"(?:^|/)\.", name):
            yield name, re.sub(r"\n\s*(?:///?|#:?|\*)?\s*", " ", path.read_text())


@functools.cache
def citable() -> dict[str, set[str]]:
    """The numbers of each page: read once for thousands of files."""
    return {name: set(numbers(page)) for name, page in PAGES.items()}


def dangling(text: str) -> list[str]:
    """The citations in `text` of what is not there."""
    known = citable()
    return [
        f"{page} {number}"
        for page, cited in CITATION.findall(text)
        for number in re.findall(NUMBER, cited)
        if number not in known[page]
    ]


def strangers(text: str, known: set[str]) -> list[str]:
    """The rules that a page cites as its own and does not have."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    text = ELSEWHERE.sub("", re.sub(r"\s+", " ", text))
    cited = [number for found in AT_HOME.findall(text) for number in re.findall(NUMBER, "".join(found))]
    return sorted(set(cited) - known)


def unnumbered(text: str) -> list[str]:
    """The places in code that cite a document without saying where, or one that is not here."""
    cited = {place for match in CITATION.finditer(text) for place in range(match.start(), match.end())}
    places = [match.start() for match in MENTION.finditer(text) if match.start() not in cited]
    places += [
        match.start() for match in re.finditer('§(?!")', text) if not PUBLIC.search(text[: match.start()])
    ]
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
    counted = 0
    for page in PAGES.values():
        found = [tuple(map(int, number.split("."))) for number in numbers(page)]
        assert found == sorted(set(found)), page
        counted += len(found)
    assert counted > 500


def test_every_rule_that_is_cited_is_there() -> None:
    texts = dict(citing())
    assert sum(len(CITATION.findall(text)) for text in texts.values()) > 100
    assert {name: missing for name, text in texts.items() if (missing := dangling(text))} == {}


@pytest.mark.parametrize("page", PAGES)
def test_a_rule_that_is_cited_without_its_page_is_on_the_same_page(page: str) -> None:
    assert strangers(PAGES[page].read_text(), set(numbers(PAGES[page]))) == []


@pytest.mark.parametrize(
    "text", ["rule 9.9", "rules 1.1 and\n9.9", "(9.9)", "section 9", "[a](b). Section 9 says"]
)
def test_a_rule_of_another_page_without_its_name_is_found(text: str) -> None:
    assert strangers(text, {"1", "1.1"}) != []
    assert strangers(f"`{text}` RFC 1928, section 6; [x.md](x.md), section 3; rule 1.1", {"1.1"}) == []


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
        "messages.md 9.6.3",
        "storage.md 9.6.3 and 6.3.3",
        "security.md 99",
    ],
)
def test_a_citation_of_what_is_not_there_is_found(text: str) -> None:
    assert dangling(f"/// A comment ({text}).") != []


@pytest.mark.parametrize(
    "text", ["challenges §6", "see challenges.md", "see storage.md", "security, §3", "(§7.4)"]
)
def test_a_citation_without_a_number_is_found(text: str) -> None:
    assert unnumbered(f"/// A comment ({text}).") != []


@pytest.mark.parametrize("page", ["README.md", "messages.md", "storage.md", "threads.md"])
def test_the_files_that_a_page_of_the_sources_names_are_there(page: str) -> None:
    text = (SOURCES / page).read_text()
    files = re.findall(r"`([\w+\-/]+\.(?:swift|c|h)|Watchword\w+/[\w/]+)`", text)
    files = [name for name in files if name != "Package.swift"]
    assert len(files) >= 5
    known = {path.name for path in SOURCES.rglob("*.swift")}
    missing = [name for name in files if not (SOURCES / name).exists() and ("/" in name or name not in known)]
    assert missing == []


def test_in_the_picture_each_target_stands_above_what_it_imports() -> None:
    package = (PROJECT / "Package.swift").read_text().split("// What several test targets need.")[0]
    declared = {
        name: set(re.findall(r'(?<!name: )"([\w-]+)"(?!:)', imports)) - {"swift-log"}
        for name, imports in re.findall(
            r'(?:library\(\s*|name: )"([\w-]+)",\s*(?:dependencies: )?\[(.*?)\]', package, re.DOTALL
        )
    }
    folders = {path.name for path in SOURCES.iterdir() if path.is_dir()}
    picture = (SOURCES / "README.md").read_text().split("## Targets")[1].split("```")[1]
    lines = picture.splitlines()
    place = {
        name: next(number for number, line in enumerate(lines) if name in re.findall(r"[\w-]+", line))
        for name in folders
        if re.search(rf"(?<![\w-]){name}(?![\w-])", picture)
    }
    assert set(place) == folders
    imported = [(name, other) for name in folders for other in declared.get(name, ()) if other in folders]
    assert len(imported) >= 50
    assert [(name, other) for name, other in imported if place[name] >= place[other]] == []


def section(page: str, heading: str) -> str:
    """What is below a heading, up to the next one of its level."""
    level = heading.partition(" ")[0]
    return (PROTOCOL / page).read_text().split(f"\n{heading}\n")[1].split(f"\n{level} ")[0]


def test_the_errors_of_the_reference_are_those_of_the_table() -> None:
    text = section("reference.md", "## Errors")
    rows = re.findall(r"^\| (-?\d+) \| `(\w+)` \| `(\w+)` \| (.*) \|$", text, re.MULTILINE)
    errors = json.loads((PROTOCOL / "errors.json").read_text())
    assert [(int(code), kind, retry, text.replace("`", "")) for code, kind, retry, text in rows] == [
        (error["code"], error["kind"], error["retry"], error["meaning"]) for error in errors
    ]


def test_every_method_and_notification_is_on_a_page_with_rules() -> None:
    document = json.loads((PROTOCOL / "openrpc.json").read_text())
    text = "".join(page.read_text() for page in PAGES.values())
    names = [entry["name"] for entry in document["methods"] + document["x-notifications"]]
    assert len(names) > 40
    assert [name for name in names if f"`{name}`" not in text] == []
    shown = set(
        re.findall(r"^\| \[`([\w/]+)`\]", section("messages.md", "## 12 Notifications"), re.MULTILINE)
    )
    assert shown == {
        entry["name"] for entry in document["x-notifications"] if entry["direction"] == "serverToClient"
    }


def test_the_methods_that_pages_name_are_there() -> None:
    document = json.loads((PROTOCOL / "openrpc.json").read_text())
    known = {entry["name"] for entry in document["methods"] + document["x-notifications"]}
    nouns = {name.partition("/")[0] for name in known if "/" in name} - {"$"}
    pattern = re.compile(rf"`((?:{'|'.join(sorted(nouns))})/[A-Za-z]+)`")
    named = {
        page: set(pattern.findall((PROJECT / page).read_text()))
        for page in all_pages()
        if not page.endswith("CHANGELOG.md")
    }
    assert set().union(*named.values()) >= {"session/open", "credential/read"}
    assert {page: names - known for page, names in named.items() if names - known} == {}


def members(schema: object) -> set[str]:
    """The names of the members of all objects in a schema."""
    if isinstance(schema, list):
        return {name for inner in schema for name in members(inner)}
    if not isinstance(schema, dict):
        return set()
    return {*schema.get("properties", ()), *members(list(schema.values()))}


def test_every_setting_is_in_the_reference() -> None:
    schema = json.loads((PROTOCOL / "openrpc.json").read_text())["components"]["schemas"][
        "SessionConfiguration"
    ]
    text = section("reference.md", "#### SessionConfiguration")
    for name, member in schema["properties"].items():
        for setting in member.get("properties", {"": {}}):
            assert setting in text and name in text, f"{name}.{setting}"
    readers = [
        SOURCES / "WatchwordProtocol" / "Configuration" / "TrustPolicy+Configuration.swift",
        *(SOURCES / "WatchwordServer" / "Generated" / "Settings").glob("*.swift"),
        *(SOURCES / "WatchwordServer" / "Daemon").glob("*.swift"),
    ]
    code = "".join(path.read_text() for path in readers)
    settings = set(re.findall(r'reader(?:\.\w+\(\s*|\[)"(\w+)"', code))
    assert {"logLevel", "access", "pkcs11Modules", "domain", "allowsCleartext", "keyFile"} <= settings
    assert settings <= members(json.loads((PROTOCOL / "configuration.json").read_text()))


@pytest.mark.parametrize("page", all_pages())
def test_links_lead_somewhere(page: str) -> None:
    assert list(broken_links(PROJECT / page)) == []
