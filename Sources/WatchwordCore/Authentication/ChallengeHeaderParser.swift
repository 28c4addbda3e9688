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
/// The only bound is that of the header block: a smaller one could hide the one challenge that the caller can answer.
/// Work is linear in the bytes.
package struct ChallengeHeaderParser {
  private var reader: FieldReader
  /// The challenge that parameters are added to; not yet complete.
  private var open: OpenChallenge?
  private var finished: [RawChallenge] = []

  private struct OpenChallenge {
    var challenge: RawChallenge
    var names: Set<String> = []
    var isUsable = true
  }

  private init(_ fieldValue: OctetString) { reader = FieldReader(fieldValue) }

  /// The challenges of all fields of one response, in order.
  package static func parse(_ fieldValues: [OctetString]) -> [RawChallenge] {
    fieldValues.flatMap { value in
      var parser = ChallengeHeaderParser(value)
      parser.parseField()
      return parser.finished
    }
  }

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
    let token = reader.token68()
    if let token { challenge.token68 = String(decoding: token, as: UTF8.self) }
    open = OpenChallenge(challenge: challenge)
    return token == nil
  }

  /// Reads the value of the parameter called `name`; false when there is no value or no open challenge.
  private mutating func addParameter(_ name: ArraySlice<UInt8>) -> Bool {
    guard open != nil, open?.challenge.token68 == nil, let value = reader.parameterValue() else {
      return false
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
    if let whole = open, whole.isUsable { finished.append(whole.challenge) }
    open = nil
  }

  private func lowercased(_ token: ArraySlice<UInt8>) -> String {
    String(decoding: token, as: UTF8.self).asciiLowercased
  }
}
