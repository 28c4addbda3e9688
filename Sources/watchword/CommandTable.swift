internal import WatchwordOptions

/// The commands by name, in the order in which the help lists them.
enum CommandTable {
  /// A type-erased command.
  struct Entry {
    let name: String
    let summary: String
    let help: () -> String
    let options: () -> [CompletionWord]
    let run: (ArraySlice<String>) throws(Failure) -> ExitCode

    init<Verb: Command>(_ type: Verb.Type) {
      name = Verb.name
      summary = Verb.summary
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

  static var entries: [Entry] {
    [
      Entry(FetchCommand.self), Entry(StatusCommand.self), Entry(ChallengesCommand.self),
      Entry(AnswerCommand.self), Entry(CredentialsCommand.self), Entry(SetCredentialCommand.self),
      Entry(RemoveCredentialCommand.self), Entry(SetDefaultCredentialCommand.self),
      Entry(RetryCredentialsCommand.self),
      Entry(CredentialHistoryCommand.self), Entry(ExportCredentialsCommand.self),
      Entry(ImportCredentialsCommand.self),
      Entry(GitCredentialCommand.self), Entry(DockerCredentialCommand.self), Entry(AskpassCommand.self),
      Entry(TrustCommand.self),
      Entry(RemoveTrustCommand.self),
      Entry(CertificateCommand.self), Entry(IdentitiesCommand.self), Entry(AddIdentityCommand.self),
      Entry(TokensCommand.self),
      Entry(RemoveIdentityCommand.self), Entry(SessionsCommand.self), Entry(DescribeSessionCommand.self),
      Entry(ResetSessionCommand.self), Entry(FinishSessionCommand.self), Entry(InvalidateSessionCommand.self),
      Entry(ExplainCommand.self), Entry(RunCommand.self), Entry(CallCommand.self), Entry(ReloadCommand.self),
      Entry(LockCommand.self), Entry(UnlockCommand.self), Entry(ForgetCommand.self),
      Entry(VaultInitCommand.self), Entry(VaultPassphraseCommand.self),
      Entry(VaultRekeyCommand.self), Entry(VaultCheckCommand.self),
      Entry(ShutdownCommand.self), Entry(CompletionsCommand.self),
    ]
  }

  /// Other names, as those of identities.
  private static let aliases = ["credentials add": "credentials set", "credentials list": "credentials"]

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
}
