internal import WatchwordOptions
internal import WatchwordVocabulary

/// A completion script for bash, made from the same table as the parser and the help.
enum Completions {
  static func words<Verb: Command>(of type: Verb.Type) -> [CompletionWord] {
    (Verb.options + Verb.daemonOptions).flatMap { option in
      let names = ["--\(option.long)"] + (option.short.map { ["-\($0)"] } ?? [])
      return names.map {
        CompletionWord(text: $0, takesArgument: option.argument != nil, completion: option.completion)
      }
    }
  }

  /// For `source <(watchword completions)`.
  static var bash: String {
    let entries = CommandTable.entries
    let first = Set(entries.map { String($0.name.prefix { $0 != " " }) }).sorted()
    var cases = ""
    for entry in entries {
      let words = entry.options()
      let name = entry.name
      var arguments = ""
      for word in words where word.takesArgument {
        switch word.completion {
        case .none: arguments += "        \(word.text)) return ;;\n"
        case .file:
          arguments +=
            "        \(word.text)) compopt -o filenames; COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n"
        case .words(let values):
          arguments +=
            "        \(word.text)) COMPREPLY=($(compgen -W '\(values.joined(separator: " "))' -- \"$word\")); return ;;\n"
        }
      }
      let second = entries.compactMap {
        $0.name.hasPrefix(name + " ") ? String($0.name.dropFirst(name.count + 1)) : nil
      }
      let offered = (second + words.map(\.text) + ["--help"]).joined(separator: " ")
      cases += """
            '\(name)')
              case $previous in
        \(arguments)      esac
              COMPREPLY=($(compgen -W '\(offered)' -- "$word")) ;;

        """
    }
    return """
      # bash completion for watchword: source <(watchword completions)
      _watchword() {
        local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]}
        if [ "$COMP_CWORD" -eq 1 ]; then
          COMPREPLY=($(compgen -W '\(first.joined(separator: " ")) help' -- "$word")); return
        fi
        case "$verb ${COMP_WORDS[2]}" in
      \(entries.filter { $0.name.contains(" ") }.map { "    '\($0.name)') [ \"$COMP_CWORD\" -gt 2 ] && verb='\($0.name)' ;;" }.joined(separator: "\n"))
        esac
        case $verb in
      \(cases)  esac
      }
      complete -o default -F _watchword watchword

      """
  }
}

/// An option in the form that a shell's completion needs.
struct CompletionWord {
  let text: String
  let takesArgument: Bool
  let completion: Completion
}

/// `watchword completions`: prints a script with which the shell completes command lines.
struct CompletionsCommand: Command {
  static let name = "completions"
  static let summary = "print a completion script for bash"
  static let synopsis = "[bash]"
  static let about = """
    Prints a script with which bash completes commands and options. The packages have scripts for zsh and fish, too.
    """
  static let example = "source <(watchword completions)"
  static var options: [Option<CompletionsCommand>] { [] }

  var daemon = DaemonTarget()

  mutating func take(operand: String) throws(Failure) {
    guard operand == "bash" else {
      throw .usage(
        "no script for \(DisplayText.escaped(operand))", hint: "watchword completions prints that for bash")
    }
  }

  mutating func run() throws(Failure) -> ExitCode {
    StandardOutput.write(Completions.bash)
    return .success
  }
}
