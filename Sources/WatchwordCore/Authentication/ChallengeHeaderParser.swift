internal import WatchwordPrimitives
package import WatchwordVocabulary

/// Parses `WWW-Authenticate` and `Proxy-Authenticate` fields by the grammar of RFC 9110 §11.
///
/// It reads from left to right and stops at the first byte that the grammar does not allow: after it, a comma may or
/// may not be inside quotes, and a challenge read from inside a quoted string would be one that the server never
/// sent. Challenges that end before that byte are valid; the one that contains it is not. A challenge that names a
/// parameter twice (RFC 9110 §11.2) is skipped, and reading continues after it.
///
/// One deviation, as in browsers: a comma alone may separate parameters from their scheme (`Basic, realm="x"`), which
/// has no other reading.
///
/// A response has room for thousands of challenges, and each that is read costs microseconds now and whenever the task
/// chooses again. Those beyond the bounds are counted by their schemes (challenges.md 6.2). Work is linear in the bytes.
package struct ChallengeHeaderParser {
  /// What the fields of one response say.
  package struct Reading: Sendable, Equatable {
    /// In their order.
    package fileprivate(set) var challenges: [RawChallenge] = []
    /// How many were not read, by scheme in lower case.
    package fileprivate(set) var unread: [String: Int] = [:]
  }

  /// Challenges of one response that are read.
  package static let maximumChallenges = 64
  /// Parameters of a challenge that is read; Digest has ten.
  package static let maximumParameters = 128

  private var reader = FieldReader("")
  /// The challenge that parameters are added to; not yet complete.
  private var open: OpenChallenge?
  /// Challenges that were begun to be read.
  private var begun = 0
  private var result = Reading()
  /// Of those that are read and counted; nil for all.
  private let schemes: Set<String>?

  private struct OpenChallenge {
    var challenge: RawChallenge
    /// Whether its parameters are kept.
    var isRead: Bool
    var names: Set<String> = []
    var isUsable = true
  }

  private init(of schemes: Set<String>?) { self.schemes = schemes }

  /// The challenges of all fields of one response.
  ///
  /// - Parameter schemes: in lower case; others are passed over, and count for no bound. Nil stands for all.
  package static func read(_ fieldValues: [OctetString], of schemes: Set<String>? = nil) -> Reading {
    var parser = ChallengeHeaderParser(of: schemes)
    for value in fieldValues {
      parser.reader = FieldReader(value)
      parser.open = nil
      parser.parseField()
    }
    return parser.result
  }

  /// Those of any scheme that are read, in order.
  package static func parse(_ fieldValues: [OctetString]) -> [RawChallenge] { read(fieldValues).challenges }

  private mutating func parseField() {
    var isFirstParameter = false
    while true {
      let hasComma = reader.skipListSeparators()
      if reader.isAtEnd { return finishOpenChallenge() }
      guard let name = reader.token() else { return }
      if reader.skipEqualsSign() {
        guard addParameter(name) else { return }
        isFirstParameter = false
      } else {
        // Two names with only a space between them are neither a challenge nor a parameter.
        if isFirstParameter, !hasComma { return }
        guard reader.isAtSeparator else { return }
        finishOpenChallenge()
        isFirstParameter = beginChallenge(name)
      }
      guard isFirstParameter || reader.isAtEndOfElement else { return }
    }
  }

  /// Opens a challenge and says whether its parameters may follow; they may not after a token68.
  private mutating func beginChallenge(_ scheme: ArraySlice<UInt8>) -> Bool {
    var challenge = RawChallenge(scheme: lowercased(scheme))
    let isWanted = schemes?.contains(challenge.scheme) ?? true
    let isRead = isWanted && begun < Self.maximumChallenges
    if isRead { begun += 1 }
    let token = reader.token68()
    if let token { challenge.token68 = isRead ? String(decoding: token, as: UTF8.self) : "" }
    open = OpenChallenge(challenge: challenge, isRead: isRead, isUsable: isWanted)
    return token == nil
  }

  /// Reads the value of the parameter called `name`; false when there is no value or no open challenge.
  private mutating func addParameter(_ name: ArraySlice<UInt8>) -> Bool {
    guard open != nil, open?.challenge.token68 == nil, let value = reader.parameterValue() else {
      return false
    }
    guard open?.isRead == true else { return true }
    guard open?.challenge.parameters.count ?? 0 < Self.maximumParameters else {
      open?.isRead = false
      return true
    }
    let name = lowercased(name)
    // Changed in place: a copy for each parameter would take quadratic time.
    if open?.names.insert(name).inserted ?? false {
      open?.challenge.parameters.append(
        AuthenticationParameter(name, OctetString(octets: value)))
    } else {
      open?.isUsable = false
    }
    return true
  }

  private mutating func finishOpenChallenge() {
    defer { open = nil }
    guard let whole = open, whole.isUsable else { return }
    if whole.isRead {
      result.challenges.append(whole.challenge)
    } else {
      result.unread[whole.challenge.scheme, default: 0] += 1
    }
  }

  private func lowercased(_ token: ArraySlice<UInt8>) -> String {
    String(decoding: token, as: UTF8.self).asciiLowercased
  }
}
