package import WatchwordVocabulary

/// What sources say, as text: the contents of a file, and the messages of git's credential helpers
/// (gitcredentials(7), git-credential(1)).
package enum SourceText {
  /// Of everything that a source says.
  package static let maximumBytes = 65_536

  // MARK: Files

  /// The contents of a file: a password for `user`, or a token if that is nil. One line end at its end does
  /// not count.
  package static func credential(
    inFile bytes: UnsafeRawBufferPointer, user: String?, for method: AuthenticationMethod
  ) throws(SourceFault) -> SourceAnswer {
    SourceAnswer(try kind(user: user, try line(bytes), isToken: user == nil, for: method))
  }

  /// The one line of a file; its line end does not count.
  package static func line(_ bytes: UnsafeRawBufferPointer) throws(SourceFault) -> Secret {
    var text = bytes[...]
    if text.last == UInt8(ascii: "\n") { text.removeLast() }
    if text.last == UInt8(ascii: "\r") { text.removeLast() }
    guard !text.isEmpty else { throw .empty }
    guard !hasControlCharacter(text) else { throw .malformed }
    return Secret(copying: UnsafeRawBufferPointer(rebasing: text))
  }

  // MARK: Helpers

  /// What a helper is asked: the origin, and the challenges of the server for helpers that know them.
  package static func question(_ request: SourceRequest) -> [UInt8] {
    var lines = ["capability[]=authtype"] + names(of: request.space.origin)
    // A server must not end a line, or the message.
    for challenge in request.challenges.prefix(maximumChallenges)
    where !hasControlCharacter(challenge.utf8) && challenge.utf8.count <= maximumChallengeBytes {
      lines.append("wwwauth[]=\(challenge)")
    }
    return Array((lines.joined(separator: "\n") + "\n\n").utf8)
  }

  /// What names an origin to a helper.
  static func names(of origin: Origin) -> [String] {
    let port = origin.port == origin.scheme.defaultPort ? "" : ":\(origin.port)"
    return ["protocol=\(origin.scheme.rawValue)", "host=\(origin.bracketedHost)\(port)"]
  }

  /// A helper's buffer must hold the question while it does not read it.
  private static let maximumChallenges = 8
  private static let maximumChallengeBytes = 2048

  /// A helper's answer: lines `name=value` up to an empty one or the end.
  ///
  /// - Parameter now: wall-clock seconds since 1970.
  package static func credential(
    ofHelper bytes: UnsafeRawBufferPointer, for method: AuthenticationMethod, now: Double
  ) throws(SourceFault) -> SourceAnswer {
    var user: String?
    var password: Secret?
    var scheme: String?
    var credential: Secret?
    var notAfter: Double?
    var stops = false
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if line.isEmpty { break }
      guard let mark = line.firstIndex(of: UInt8(ascii: "=")), !hasControlCharacter(line) else {
        throw .malformed
      }
      let value = UnsafeRawBufferPointer(rebasing: line[(mark + 1)...])
      switch String(decoding: line[..<mark], as: UTF8.self) {
      case "username": user = try text(value)
      case "password": password = Secret(copying: value)
      case "authtype": scheme = try text(value)
      case "credential": credential = Secret(copying: value)
      case "password_expiry_utc":
        guard let time = Double(try text(value)), time.isFinite else { throw .malformed }
        notAfter = time
      case "quit": stops = isTrue(try text(value))
      default: break
      }
    }
    // As for git, a whole credential counts nevertheless.
    let isWhole = scheme != nil && credential != nil || user != nil && password != nil
    guard isWhole || !stops else { throw .stopped }
    let kind: Credential.Kind
    switch (scheme, credential, password) {
    case (.some(let scheme), .some(let token), _):
      guard scheme.lowercased() == "bearer" else { throw .unfit }
      kind = try self.kind(user: nil, token, isToken: true, for: method)
    case (.some, nil, _): throw .malformed
    case (nil, _, .some(let password)):
      kind = try self.kind(user: user, password, isToken: false, for: method)
    case (nil, _, nil): throw .empty
    }
    if let notAfter, notAfter <= now { throw .expired }
    return SourceAnswer(kind, notAfter: notAfter)
  }

  /// As git reads a boolean (git-config(1)).
  private static func isTrue(_ text: String) -> Bool {
    if let number = Int64(text) { return number != 0 }
    return ["true", "yes", "on"].contains(text.asciiLowercased)
  }

  private static func text(_ value: UnsafeRawBufferPointer) throws(SourceFault) -> String {
    guard let text = String(validating: value, as: UTF8.self) else { throw .malformed }
    return text
  }

  private static func kind(
    user: String?, _ secret: Secret, isToken: Bool, for method: AuthenticationMethod
  ) throws(SourceFault) -> Credential.Kind {
    switch method {
    case .bearer:
      guard isToken else { throw .unfit }
      return .token(secret)
    case .basic, .digest, .negotiate, .ntlm, .htmlForm:
      guard !isToken, let user else { throw .unfit }
      return .password(user: user, password: secret)
    // A helper of git has a name for every secret.
    case .key: return .token(secret)
    case .clientCertificate, .serverTrust, .agentUnlock: throw .unfit
    }
  }

  private static func hasControlCharacter(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.contains { $0 < 0x20 || $0 == 0x7F }
  }
}

/// What a helper of git is told once a server has judged what it gave (git-credential(1), `approve` and
/// `reject`).
extension SourceText {
  /// What git passes on of an answer to `store` and `erase`.
  private static let passedOn: Set<String> = [
    "authtype", "credential", "ephemeral", "username", "password", "oauth_refresh_token",
    "password_expiry_utc",
  ]

  /// - Parameter bytes: the helper's answer, which has been read without a fault.
  package static func receipt(ofHelper bytes: UnsafeRawBufferPointer, for origin: Origin) -> Secret {
    var parts = [Secret((names(of: origin).joined(separator: "\n") + "\n").utf8)]
    let lineEnd = Secret("\n".utf8)
    for line in linesPassedOn(bytes) {
      parts += [Secret(copying: UnsafeRawBufferPointer(rebasing: line)), lineEnd]
    }
    return Secret(joining: parts + [lineEnd])
  }

  /// Of several lines with one name the last counts, as for git.
  private static func linesPassedOn(_ bytes: UnsafeRawBufferPointer) -> [Slice<UnsafeRawBufferPointer>] {
    var lines: [String: Slice<UnsafeRawBufferPointer>] = [:]
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      guard !line.isEmpty else { break }
      let name = String(decoding: line.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
      if passedOn.contains(name) { lines[name] = line }
      if line.elementsEqual("capability[]=authtype".utf8) { lines[name] = line }
    }
    return lines.sorted(on: \.key).map(\.value)
  }
}
