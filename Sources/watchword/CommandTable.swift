internal import WatchwordOptions

/// The commands by name, in the order in which the help lists them.
enum CommandTable {
  /// A type-erased command.
  struct Entry {
    let name: String
    let summary: String
    let appendix: String
    let takesOperands: Bool
    let help: () -> String
    let options: () -> [CompletionWord]
    let run: (ArraySlice<String>) throws(Failure) -> ExitCode

    init<Verb: Command>(_ type: Verb.Type) {
      name = Verb.name
      summary = Verb.summary
      appendix = Verb.appendix
      takesOperands = Verb.synopsis != "[options]" && !Verb.synopsis.isEmpty
      help = { HelpText.of(type) }
      options = { Completions.words(of: type) }
      run = { (arguments) throws(Failure) in
        var verb = Verb()
        let parser = OptionParser(Verb.options + Verb.daemonOptions, hint: "see watchword help \(Verb.name)")
        let isToRun = try parser.parse(
          arguments, into: &verb, operandsAreOctets: Verb.operandsAreOctets
        ) { (verb, operand) throws(Failure) in
          try verb.take(operand: operand)
        }
        guard isToRun else {
          StandardOutput.write(HelpText.of(type))
          return .success
        }
        return try verb.run()
      }
    }
  }

  /// Commands that belong together, in the order in which the help lists them.
  static var groups: [(title: String, entries: [Entry])] {
    [
      (
        "Fetch",
        [
          Entry(FetchCommand.self), Entry(ExplainCommand.self), Entry(RunCommand.self),
          Entry(CallCommand.self),
        ]
      ),
      ("Challenges", [Entry(ChallengesCommand.self), Entry(AnswerCommand.self)]),
      (
        "Credentials",
        [
          Entry(CredentialsCommand.self), Entry(SetCredentialCommand.self),
          Entry(RemoveCredentialCommand.self),
          Entry(SetDefaultCredentialCommand.self), Entry(RetryCredentialsCommand.self),
          Entry(CredentialHistoryCommand.self), Entry(ExportCredentialsCommand.self),
          Entry(ImportCredentialsCommand.self), Entry(GitCredentialCommand.self),
          Entry(DockerCredentialCommand.self), Entry(AskpassCommand.self),
        ]
      ),
      (
        "Trust and certificates",
        [
          Entry(TrustCommand.self), Entry(RemoveTrustCommand.self), Entry(AddRootsCommand.self),
          Entry(ListRootsCommand.self), Entry(RemoveRootsCommand.self), Entry(CertificateCommand.self),
          Entry(IdentitiesCommand.self), Entry(AddIdentityCommand.self), Entry(TokensCommand.self),
          Entry(RemoveIdentityCommand.self),
        ]
      ),
      (
        "Sessions",
        [
          Entry(SessionsCommand.self), Entry(DescribeSessionCommand.self), Entry(SetSessionCommand.self),
          Entry(ResetSessionCommand.self),
          Entry(FinishSessionCommand.self), Entry(InvalidateSessionCommand.self),
          Entry(PruneSessionsCommand.self), Entry(CookiesCommand.self), Entry(RemoveCookiesCommand.self),
        ]
      ),
      (
        "Locks and the vault",
        [
          Entry(LockCommand.self), Entry(UnlockCommand.self), Entry(ForgetCommand.self),
          Entry(VaultInitCommand.self), Entry(VaultPassphraseCommand.self), Entry(VaultRekeyCommand.self),
          Entry(VaultCheckCommand.self),
        ]
      ),
      (
        "The daemon",
        [
          Entry(StatusCommand.self), Entry(DoctorCommand.self), Entry(ConfigShowCommand.self),
          Entry(ConfigCheckCommand.self), Entry(ReloadCommand.self), Entry(RestartCommand.self),
          Entry(ShutdownCommand.self), Entry(CompletionsCommand.self),
        ]
      ),
    ]
  }

  static var entries: [Entry] { groups.flatMap(\.entries) }

  /// Other names, as those of identities.
  private static let aliases = [
    "credentials add": "credentials set", "credentials list": "credentials", "sessions list": "sessions",
    "trust list": "trust", "identities list": "identities", "challenges list": "challenges",
    "cookies list": "cookies", "cookies clear": "cookies remove",
  ]

  /// The command that `arguments` begin with, and the number of words in its name.
  static func find(_ arguments: ArraySlice<String>) -> (entry: Entry, words: Int)? {
    let entries = Self.entries
    for words in [2, 1] where arguments.count >= words {
      let typed = arguments.prefix(words).joined(separator: " ")
      let name = aliases[typed] ?? typed
      if let entry = entries.first(where: { $0.name == name }) { return (entry, words) }
    }
    return nil
  }

  /// The commands below a noun, which may be a command itself, as `sessions` is and `vault` is not.
  static func commands(of noun: String) -> [Entry] { entries.filter { $0.name.hasPrefix(noun + " ") } }

  /// What the arguments of an unknown command were meant to be; nil when nothing is near.
  static func nearest(to arguments: ArraySlice<String>) -> String? {
    let names = entries.map(\.name)
    for words in [2, 1] where arguments.count >= words {
      let typed = arguments.prefix(words).joined(separator: " ")
      if let name = NearestName.of(typed, among: names) { return name }
    }
    return nil
  }
}
