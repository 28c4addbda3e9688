internal import WatchwordOptions

/// The commands by name, in the order in which the help lists them.
enum CommandTable {
  /// A type-erased command.
  struct ListedCommand {
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
  static var groups: [(title: String, entries: [ListedCommand])] {
    [
      (
        "Fetch",
        [
          ListedCommand(FetchCommand.self), ListedCommand(ExplainCommand.self),
          ListedCommand(RunCommand.self),
          ListedCommand(CallCommand.self),
        ]
      ),
      ("Challenges", [ListedCommand(ChallengesCommand.self), ListedCommand(AnswerCommand.self)]),
      (
        "Credentials",
        [
          ListedCommand(CredentialsCommand.self), ListedCommand(SetCredentialCommand.self),
          ListedCommand(RemoveCredentialCommand.self),
          ListedCommand(SetDefaultCredentialCommand.self), ListedCommand(RetryCredentialsCommand.self),
          ListedCommand(CredentialHistoryCommand.self), ListedCommand(ExportCredentialsCommand.self),
          ListedCommand(ImportCredentialsCommand.self), ListedCommand(GitCredentialCommand.self),
          ListedCommand(DockerCredentialCommand.self), ListedCommand(AskpassCommand.self),
        ]
      ),
      (
        "Trust and certificates",
        [
          ListedCommand(TrustCommand.self), ListedCommand(RemoveTrustCommand.self),
          ListedCommand(AddRootsCommand.self),
          ListedCommand(ListRootsCommand.self), ListedCommand(RemoveRootsCommand.self),
          ListedCommand(CertificateCommand.self),
          ListedCommand(IdentitiesCommand.self), ListedCommand(AddIdentityCommand.self),
          ListedCommand(TokensCommand.self),
          ListedCommand(RemoveIdentityCommand.self),
        ]
      ),
      (
        "Sessions",
        [
          ListedCommand(SessionsCommand.self), ListedCommand(DescribeSessionCommand.self),
          ListedCommand(SetSessionCommand.self),
          ListedCommand(ResetSessionCommand.self),
          ListedCommand(FinishSessionCommand.self), ListedCommand(InvalidateSessionCommand.self),
          ListedCommand(PruneSessionsCommand.self), ListedCommand(CookiesCommand.self),
          ListedCommand(RemoveCookiesCommand.self),
        ]
      ),
      (
        "Locks and the vault",
        [
          ListedCommand(LockCommand.self), ListedCommand(UnlockCommand.self),
          ListedCommand(ForgetCommand.self),
          ListedCommand(VaultInitCommand.self), ListedCommand(VaultPassphraseCommand.self),
          ListedCommand(VaultRekeyCommand.self),
          ListedCommand(VaultCheckCommand.self),
        ]
      ),
      (
        "The daemon",
        [
          ListedCommand(StatusCommand.self), ListedCommand(DoctorCommand.self),
          ListedCommand(ConfigShowCommand.self),
          ListedCommand(ConfigCheckCommand.self), ListedCommand(ReloadCommand.self),
          ListedCommand(RestartCommand.self),
          ListedCommand(ShutdownCommand.self), ListedCommand(CompletionsCommand.self),
        ]
      ),
    ]
  }

  static var entries: [ListedCommand] { groups.flatMap(\.entries) }

  /// Other names, as those of identities.
  private static let aliases = [
    "credentials add": "credentials set", "credentials list": "credentials", "sessions list": "sessions",
    "trust list": "trust", "identities list": "identities", "challenges list": "challenges",
    "cookies list": "cookies", "cookies clear": "cookies remove",
  ]

  /// The command that `arguments` begin with, and the number of words in its name.
  static func find(_ arguments: ArraySlice<String>) -> (entry: ListedCommand, words: Int)? {
    let entries = Self.entries
    for words in [2, 1] where arguments.count >= words {
      let typed = arguments.prefix(words).joined(separator: " ")
      let name = aliases[typed] ?? typed
      if let entry = entries.first(where: { $0.name == name }) { return (entry, words) }
    }
    return nil
  }

  /// The commands below a noun, which may be a command itself, as `sessions` is and `vault` is not.
  static func commands(of noun: String) -> [ListedCommand] {
    entries.filter { $0.name.hasPrefix(noun + " ") }
  }

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
