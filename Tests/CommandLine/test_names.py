"""Names that are not there: the nearest one, nouns without a verb, and challenges without an id."""

from __future__ import annotations

import pytest

from CommandLine.conftest import Command
from Support.fake_daemon import Conversation, FakeDaemon, Message, a_challenge


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["fecth", "http://a.test/"], b"did you mean watchword fetch?"),
        (["statsu"], b"did you mean watchword status?"),
        (["credentials", "st"], b"did you mean watchword credentials set?"),
        (["session", "reset"], b"did you mean watchword sessions reset?"),
        (["fetch", "--compresed", "http://a.test/"], b"did you mean --compressed?"),
        (["fetch", "--acert", "f", "http://a.test/"], b"did you mean --cacert?"),
        (["fetch", "--utterly-unknown", "http://a.test/"], b"see watchword help fetch"),
        (["http://a.test/"], b"watchword fetch http://a.test/"),
        (["a.test/x"], b"watchword fetch a.test/x"),
        (["xyzzy"], b"see watchword help"),
    ],
)
def test_a_name_that_is_not_there_names_the_nearest(
    watchword: Command, daemon: FakeDaemon, arguments: list[str], said: bytes
) -> None:
    done = watchword(*arguments)
    assert (done.returncode, done.stdout, daemon.heard) == (2, b"", [])
    assert b"\nhint: " in done.stderr and said in done.stderr


@pytest.mark.parametrize("noun", ["credentials", "sessions", "trust", "identities", "challenges"])
def test_a_noun_lists_with_and_without_its_verb(watchword: Command, noun: str) -> None:
    assert watchword("help", noun, "list").stdout == watchword("help", noun).stdout


def test_the_help_of_a_noun_has_its_usage_first_and_its_commands(watchword: Command) -> None:
    lines = watchword("help", "sessions").stdout.decode().splitlines()
    assert lines[0] == "usage: watchword sessions [options]"
    commands = lines[lines.index("commands:") + 1 :]
    assert {"sessions describe", "sessions prune"} <= {" ".join(line.split()[:2]) for line in commands}
    # Before prose that is longer than a screen.
    fetch = watchword("help", "fetch").stdout.decode()
    assert fetch.index("  -o, --output") < fetch.index("--retry tries again")


def test_options_stand_behind_the_command(watchword: Command) -> None:
    done = watchword("-v", "http://origin.test/")
    assert (done.returncode, done.stderr.decode().splitlines()) == (
        2,
        [
            "watchword: -v stands in front of the command",
            "hint: watchword COMMAND, then its options: see watchword help",
        ],
    )


def test_a_noun_that_is_no_command_shows_its_commands(watchword: Command, daemon: FakeDaemon) -> None:
    done = watchword("vault")
    assert done.returncode == 0 and done.stdout == watchword("help", "vault").stdout
    assert done.stdout == watchword("vault", "--help").stdout
    for verb in ("init", "passphrase", "rekey", "check"):
        assert f"\n  vault {verb} ".encode() in done.stdout
    assert daemon.heard == []


@pytest.mark.parametrize("topic", [[], ["fetch"], ["credentials", "set"], ["answer"], ["vault"]])
def test_the_help_fits_a_terminal(watchword: Command, topic: list[str]) -> None:
    lines = watchword("help", *topic).stdout.decode().splitlines()
    assert max(map(len, lines)) <= 80


def titles(watchword: Command, *topic: str) -> list[str]:
    lines = watchword("help", *topic).stdout.decode().splitlines()
    return [line[:-1] for line in lines if line.endswith(":") and line[0].isupper()]


def test_the_help_is_in_groups(watchword: Command) -> None:
    assert titles(watchword) == [
        "Fetch",
        "Challenges",
        "Credentials",
        "Trust and certificates",
        "Sessions",
        "Locks and the vault",
        "The daemon",
    ]
    assert titles(watchword, "fetch") == [
        "Request",
        "Transfer",
        "Trust",
        "Credentials",
        "Result",
        "Of curl, without effect or not supported",
        "The daemon",
    ]


def pending(daemon: FakeDaemon, *identifiers: str) -> None:
    challenges = [a_challenge(challenge=identifier, session="default") for identifier in identifiers]
    daemon.answers["challenge/list"] = lambda conversation, message: {"challenges": challenges}

    def describe(conversation: Conversation, message: Message) -> Message:
        return next(one for one in challenges if one["challenge"] == message["params"]["challenge"])

    daemon.answers["challenge/describe"] = describe
    daemon.answers["session/list"] = lambda conversation, message: {
        "sessions": [{"session": "default", "named": True}]
    }


def test_the_only_challenge_needs_no_id(watchword: Command, daemon: FakeDaemon) -> None:
    pending(daemon, "c1-0")
    assert watchword("answer", "--cancel").returncode == 0
    assert daemon.parameters("challenge/reply")["challenge"] == "c1-0"


def test_of_several_challenges_a_person_chooses(watchword: Command, daemon: FakeDaemon) -> None:
    pending(daemon, "c1-0", "c2-0")
    terminal = watchword.on_terminal("answer", "--cancel")
    terminal.read_until(b"1  c1-0")
    terminal.read_until(b"2  c2-0")
    terminal.read_until(b"Which one? ")
    terminal.type("3")
    terminal.read_until(b"Which one? ")
    terminal.type("2")
    assert terminal.end() == 0
    assert daemon.parameters("challenge/reply")["challenge"] == "c2-0"


def test_without_a_terminal_the_choice_is_an_id(watchword: Command, daemon: FakeDaemon) -> None:
    pending(daemon, "c1-0", "c2-0")
    done = watchword("answer", "--cancel")
    assert done.returncode == 2 and b"watchword answer ID" in done.stderr
    pending(daemon)
    done = watchword("answer", "--cancel")
    assert (done.returncode, done.stderr) == (1, b"watchword: no challenge is pending\n")
    assert "challenge/reply" not in [message["method"] for message in daemon.heard]


def test_the_list_has_the_command_that_answers(watchword: Command, daemon: FakeDaemon) -> None:
    pending(daemon, "c1-0")
    assert b"  answer it with: watchword answer c1-0\n" in watchword("challenges").stdout
