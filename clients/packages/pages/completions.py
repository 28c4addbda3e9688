"""Completions for bash, zsh and fish, with the names of sessions and the ids of challenges.

The shells ask a running daemon for these, and start none. A name can be chosen by another user, and shells
expand what they offer or insert: only names without characters that mean something to a shell are offered.
"""

from __future__ import annotations

from .help_text import Option
from .program import CHALLENGE_OPERANDS, SESSION_OPERANDS, Command, Program, Values


def _listed(command: str, member: str) -> str:
    """A line of shell that prints the values of a member, one a line; all three shells can run it."""
    found = f"""grep -o '"{member}":"[0-9A-Za-z_][0-9A-Za-z_.:/@+-]*"' | cut -d '"' -f 4"""
    return f"watchword {command} --json --no-start 2>/dev/null | {found}"


_SESSIONS = _listed("sessions", "session")
_CHALLENGES = _listed("challenges", "challenge")


def bash(program: Program) -> str:
    """What the program prints, and a function that knows the names of sessions and challenges."""
    sessions = "|".join(f"'{name}'" for name in sorted(SESSION_OPERANDS))
    challenges = "|".join(f"'{name} '*" for name in sorted(CHALLENGE_OPERANDS))
    return f"""{program.bash}
# The names of sessions and the ids of challenges, of a daemon that runs.
_watchword_with_names() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
  if [ "$previous" = --session ] && [ "$COMP_CWORD" -gt 2 ]; then
    COMPREPLY=($(compgen -W "$(_watchword_sessions)" -- "$word")); return
  fi
  case $word in -*) _watchword; return ;; esac
  case "${{COMP_WORDS[1]}} ${{COMP_WORDS[2]}}" in
    {sessions})
      if [ "$COMP_CWORD" -gt 2 ]; then
        COMPREPLY=($(compgen -W "$(_watchword_sessions)" -- "$word")); return
      fi ;;
    {challenges})
      if [ "$COMP_CWORD" -eq 2 ]; then
        COMPREPLY=($(compgen -W "$(_watchword_challenges)" -- "$word")); return
      fi ;;
  esac
  _watchword
}}
_watchword_sessions() {{ {_SESSIONS}; }}
_watchword_challenges() {{ {_CHALLENGES}; }}
complete -o default -F _watchword_with_names watchword
"""


def zsh(program: Program) -> str:
    first = "\n".join(f"    {_zsh_quoted(name + ':' + text)}" for name, text in program.first_words)
    two = " | ".join(_zsh_quoted(command.name) for command in program.commands if " " in command.name)
    cases = "\n".join(_zsh_case(program, command) for command in program.commands)
    return f"""#compdef watchword
# Made from the help of watchword.

_watchword_sessions() {{
  local -a names=(${{(f)"$({_SESSIONS})"}})
  compadd -a names
}}

_watchword_challenges() {{
  local -a names=(${{(f)"$({_CHALLENGES})"}})
  compadd -a names
}}

_watchword() {{
  local -a commands=(
{first}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local name=$words[2]
  shift words
  (( CURRENT-- ))
  case "$words[1] $words[2]" in
    ({two})
      if (( CURRENT > 2 )); then
        name="$words[1] $words[2]"
        shift words
        (( CURRENT-- ))
      fi ;;
  esac
  case $name in
{cases}
    (help) _describe command commands ;;
  esac
}}

_watchword "$@"
"""


def _zsh_case(program: Program, command: Command) -> str:
    specs = [spec for option in command.options for spec in _zsh_option(command, option)]
    verbs = program.verbs(command.name)
    if verbs:
        words = " ".join(each.name.split(" ")[1] for each in verbs)
        specs.append(f"1:command:({words})")
    elif (action := _zsh_action(command.operand)) or command.operand.kind == "words":
        specs.append(f"*:operand:{action}")
    lines = " \\\n".join(f"        {_zsh_quoted(spec)}" for spec in specs)
    return f"    ({_zsh_quoted(command.name)})\n      _arguments -s -S \\\n{lines} ;;"


def _zsh_option(command: Command, option: Option) -> list[str]:
    text = option.text.replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")
    argument = ""
    if option.argument:
        label = option.argument.replace(":", "\\:")
        argument = f":{label}:{_zsh_action(command.argument(option))}"
    return [f"*{name}[{text}]{argument}" for name in (option.short, option.long) if name]


def _zsh_action(values: Values) -> str:
    if values.kind == "words":
        return f"({' '.join(values.words)})"
    return {"files": "_files", "sessions": "_watchword_sessions", "challenges": "_watchword_challenges"}.get(
        values.kind, ""
    )


def _zsh_quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def fish(program: Program) -> str:
    two = " ".join(_fish_quoted(command.name) for command in program.commands if " " in command.name)
    lines = [
        f"""# Made from the help of watchword.

function __watchword_sessions
    {_SESSIONS}
end

function __watchword_challenges
    {_CHALLENGES}
end

# The command on the line: two words where both name one.
function __watchword_name
    set -l words (commandline -opc)
    if contains -- "$words[2] $words[3]" {two}
        echo "$words[2] $words[3]"
    else
        echo "$words[2]"
    end
end

function __watchword_is
    test (__watchword_name) = "$argv"
end

complete -c watchword -f"""
    ]
    for name, text in program.first_words:
        lines.append(f"complete -c watchword -n '__watchword_is' -a {name} -d {_fish_quoted(text)}")
    for command in program.commands:
        condition = f"-n {_fish_quoted('__watchword_is ' + command.name)}"
        for verb in program.verbs(command.name):
            word = verb.name.split(" ")[1]
            lines.append(f"complete -c watchword {condition} -a {word} -d {_fish_quoted(verb.summary)}")
        for option in command.options:
            lines.append(f"complete -c watchword {condition} {_fish_option(command, option)}")
        if operand := _fish_values(command.operand):
            lines.append(f"complete -c watchword {condition} {operand}")
    # A noun that is no command of its own, such as vault.
    names = {command.name for command in program.commands}
    for noun in dict.fromkeys(name.split(" ")[0] for name in names if name.split(" ")[0] not in names):
        for verb in program.verbs(noun):
            condition = f"-n {_fish_quoted('__watchword_is ' + noun)}"
            word = verb.name.split(" ")[1]
            lines.append(f"complete -c watchword {condition} -a {word} -d {_fish_quoted(verb.summary)}")
    return "\n".join(lines) + "\n"


def _fish_option(command: Command, option: Option) -> str:
    parts = [f"-s {option.short[1:]}"] if option.short else []
    parts.append(f"-l {option.long[2:]}")
    if option.argument:
        parts.append("-r " + (_fish_values(command.argument(option)) or "-f"))
    return " ".join([*parts, f"-d {_fish_quoted(option.text)}"])


def _fish_values(values: Values) -> str:
    if values.kind == "words":
        return f"-f -a {_fish_quoted(' '.join(values.words))}"
    return {
        "files": "-F",
        "sessions": "-f -a '(__watchword_sessions)'",
        "challenges": "-f -a '(__watchword_challenges)'",
    }.get(values.kind, "")


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
