"""The manual pages of the command, of each of its commands, and of the daemon."""

from __future__ import annotations

from collections.abc import Iterator

from .help_text import Group, Help, Option
from .program import Command, Program
from .roff import Page, bold, escaped, italic

#: What the programs read, beside their options.
ENVIRONMENT = {
    "WATCHWORD_SOCKET": "The daemon's socket. Without it the socket is watchword/watchword.sock in "
    "XDG_RUNTIME_DIR, or in /run/user/UID, or else .watchword/watchword.sock in the home directory.",
    "WATCHWORD_NO_START": "If it is 1, no daemon is started.",
    "WATCHWORD_ASKPASS": "A program that prompts instead of the terminal.",
}
DAEMON_FILES = {
    "/etc/watchword/watchword.json": "The configuration of the daemon for all users of a host.",
    "~/.config/watchword/config.json": "The configuration of a user's own daemon, where --configuration "
    "names no other file.",
    "/var/lib/watchword": "The vaults of the daemon for all users of a host.",
    "~/.local/state/watchword": "The vault of a user's own daemon. systemd before version 254 gives its unit "
    "~/.config/watchword.",
}


def page_name(command: str) -> str:
    return "watchword-" + command.replace(" ", "-")


def pages(program: Program, daemon: Help) -> Iterator[Page]:
    yield _overview(program)
    for command in program.commands:
        yield _command(program, command)
    yield _daemon(program.version, daemon)


def _overview(program: Program) -> Page:
    told = program.overview
    page = Page("watchword", 1, program.version, "fetch over HTTP through a daemon that keeps credentials")
    _synopsis(page, told.usage)
    page.section("DESCRIPTION")
    page.paragraphs(told.about + told.remarks)
    page.section("COMMANDS")
    for group in told.groups:
        page.subsection(group.title or "Help")
        for row in group.rows:
            is_help = row.label.startswith("help ")
            page.entry(bold(row.label) if is_help else f"{bold(page_name(row.label))}(1)", row.text)
    page.section("ENVIRONMENT")
    for name, text in ENVIRONMENT.items():
        page.entry(bold(name), text)
    page.section("EXIT STATUS")
    for number, meaning in told.codes:
        page.entry(bold(str(number)), meaning)
    page.section("EXAMPLE")
    page.example(told.example)
    page.references([*((page_name(command.name), 1) for command in program.commands), ("watchwordd", 8)])
    return page


def _command(program: Program, command: Command) -> Page:
    page = Page(page_name(command.name), 1, program.version, command.summary)
    _synopsis(page, command.help.usage)
    page.section("DESCRIPTION")
    page.paragraphs(command.help.about + command.help.remarks)
    _options(page, command.help.groups)
    page.section("EXIT STATUS")
    page.line(f"See {bold('watchword')}(1).")
    page.section("EXAMPLE")
    page.example(command.help.example)
    noun = command.name.split(" ")[0]
    kin = [each.name for each in program.commands if each.name.split(" ")[0] == noun and each is not command]
    page.references([("watchword", 1), *((page_name(name), 1) for name in kin)])
    return page


def _daemon(version: str, told: Help) -> Page:
    page = Page("watchwordd", 8, version, "daemon that fetches over HTTP and keeps credentials")
    _synopsis(page, told.usage)
    page.section("DESCRIPTION")
    page.paragraphs(told.about + told.remarks)
    _options(page, told.groups)
    page.section("ENVIRONMENT")
    page.entry(bold("WATCHWORD_SOCKET"), ENVIRONMENT["WATCHWORD_SOCKET"])
    page.section("FILES")
    for path, text in DAEMON_FILES.items():
        page.entry(italic(path), text)
    page.section("EXIT STATUS")
    for number, meaning in told.codes:
        page.entry(bold(str(number)), meaning)
    page.section("EXAMPLE")
    page.example(told.example)
    page.references([("watchword", 1), ("watchword.json", 5), ("systemd.unit", 5)])
    return page


def _synopsis(page: Page, usage: str) -> None:
    page.section("SYNOPSIS")
    words = usage.split(" ")
    # The name is what comes before the first word that stands for something.
    stands_for = (place for place, word in enumerate(words) if word[:1] in '[-"' or word.isupper())
    named = next(stands_for, len(words))
    page.line(" ".join(filter(None, [bold(" ".join(words[:named])), escaped(" ".join(words[named:]))])))


def _options(page: Page, groups: list[Group]) -> None:
    page.section("OPTIONS")
    for group in groups:
        if group.title:
            page.subsection(group.title)
        for row in group.rows:
            page.entry(_label(row.option) if row.is_option else bold(row.label), row.text)


def _label(option: Option) -> str:
    names = ", ".join(bold(name) for name in (option.short, option.long) if name)
    return f"{names} {italic(option.argument)}" if option.argument else names
