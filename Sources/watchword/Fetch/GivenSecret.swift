internal import WatchwordVocabulary

/// The password or the token that a script gives a fetch for its origins: from a descriptor or a file, never
/// in an argument.
struct GivenSecret {
  private var source = SecretSource()
  private var tokenPath: String?

  static var options: [Option<FetchCommand>] {
    SecretSource.descriptorOptions { (fetch, change) in change(&fetch.given.source) }
  }

  var isToken: Bool { tokenPath != nil || source.tokenDescriptor != nil }

  /// Whether the person is asked for a token.
  private(set) var asksForToken = false

  /// The argument of `--oauth2-bearer`; empty: the person is asked.
  mutating func takeToken(_ argument: String) throws(Failure) {
    guard argument.isEmpty || argument.utf8.first == UInt8(ascii: "@") else {
      throw .usage(
        ReadableSecret.text("token"),
        hint: "--oauth2-bearer @FILE or --token-fd NUMBER gives it, --oauth2-bearer \"\" prompts for it")
    }
    asksForToken = argument.isEmpty
    tokenPath = argument.isEmpty ? nil : String(Substring(argument.utf8.dropFirst()))
  }

  /// - Parameter hasUser: whether `-u` or every URL names a user.
  func check(hasUser: Bool) throws(Failure) {
    let isPassword = source.passwordDescriptor != nil
    if isPassword, isToken { throw .usage("a password and a token exclude each other") }
    if isPassword, !hasUser { throw .usage("--password-fd needs -u USER") }
    if isToken, hasUser { throw .usage("a token and -u exclude each other: a token has no user") }
  }

  /// Read once, before anything is sent.
  func read() throws(Failure) -> Secret? {
    if let tokenPath {
      return try SecretReader.line(
        from: try InputFile.open(tokenPath), named: DisplayText.escaped(tokenPath))
    }
    return try source.given(takesOctets: true)?.secret
  }

  /// - Parameter user: the part before the password.
  static func refusal(of user: Substring) -> Failure {
    let name = DisplayText.escaped(String(user))
    return .usage(
      ReadableSecret.text("password"),
      hint: "-u \(name) prompts for it, -u \(name) --password-fd 3 3<FILE reads it from FILE")
  }
}
