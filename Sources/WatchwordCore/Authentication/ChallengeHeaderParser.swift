/// One challenge as the server spelled it, before anybody asks whether it can be answered.
package struct RawChallenge: Sendable, Equatable {
  /// The authentication scheme in lower case.
  package var scheme: String
  /// In the order in which they were sent; no name twice.
  package var parameters: [AuthenticationParameter]
  /// What stands in the place of parameters for schemes such as Negotiate; with its padding.
  package var token68: String?

  package init(scheme: String, parameters: [AuthenticationParameter] = [], token68: String? = nil) {
    self.scheme = scheme
    self.parameters = parameters
    self.token68 = token68
  }

  /// The value of the parameter called `name`, given in lower case.
  package func value(of name: String) -> String? { parameters.first { $0.name == name }?.value }
}

/// Takes `WWW-Authenticate` and `Proxy-Authenticate` fields apart by the grammar of RFC 9110 §11.
///
/// Reading goes from left to right and stops for good at the first byte that the grammar has no place for:
/// after it nobody can know whether a comma was meant to be inside quotes, and a challenge read out of the
/// inside of a quoted string would be one the server never sent. The challenges finished before that byte
/// count; the one it stands in does not. A challenge that names a parameter twice (RFC 9110 §11.2) or
/// exceeds a bound is left out too, and reading goes on behind it.
///
/// One liberty is taken, as browsers do: parameters may be parted from their scheme by a comma only
/// (`Basic, realm="x"`), which cannot be read in another way.
package struct ChallengeHeaderParser {
  /// Challenges of one response that are read; servers that mean it send fewer than ten.
  package static let maximumChallenges = 32
  /// Parameters of one challenge; Digest, the wordiest scheme, has ten.
  package static let maximumParameters = 32
  /// Bytes of a scheme or of a parameter's name.
  package static let maximumNameBytes = 128
  /// Bytes of a parameter's value, unquoted: room for a long `scope` or `error_description`.
  package static let maximumValueBytes = 8192
  /// Bytes of a token68: Kerberos tickets with many groups come near 64 KiB.
  package static let maximumTokenBytes = 65536

  private var reader: FieldReader
  /// The challenge that parameters are added to, not yet known to be whole.
  private var open: OpenChallenge?
  private var finished: [RawChallenge] = []

  private struct OpenChallenge {
    var challenge: RawChallenge
    var isUsable: Bool
  }

  private init(_ fieldValue: String) { reader = FieldReader(fieldValue) }

  /// The challenges of all fields of one response, in order.
  package static func parse(_ fieldValues: [String]) -> [RawChallenge] {
    var challenges: [RawChallenge] = []
    for value in fieldValues where challenges.count < maximumChallenges {
      var parser = ChallengeHeaderParser(value)
      parser.parseField()
      challenges += parser.finished.prefix(maximumChallenges - challenges.count)
    }
    return challenges
  }

  private mutating func parseField() {
    var isFirstParameter = false
    while finished.count < Self.maximumChallenges {
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
    var isUsable = scheme.count <= Self.maximumNameBytes
    let token = reader.token68()
    if let token {
      isUsable = isUsable && token.count <= Self.maximumTokenBytes
      challenge.token68 = String(decoding: token, as: UTF8.self)
    }
    open = OpenChallenge(challenge: challenge, isUsable: isUsable)
    return token == nil
  }

  /// Reads the value of the parameter called `name`; false when there is none or nothing that it belongs to.
  private mutating func addParameter(_ name: ArraySlice<UInt8>) -> Bool {
    guard var target = open, target.challenge.token68 == nil else { return false }
    guard let value = reader.parameterValue() else { return false }
    let lowercasedName = lowercased(name)
    if target.challenge.parameters.count >= Self.maximumParameters
      || name.count > Self.maximumNameBytes || value.count > Self.maximumValueBytes
      || target.challenge.value(of: lowercasedName) != nil
    {
      target.isUsable = false
    } else {
      target.challenge.parameters.append(
        AuthenticationParameter(lowercasedName, String(decoding: value, as: UTF8.self)))
    }
    open = target
    return true
  }

  private mutating func finishOpenChallenge() {
    if let whole = open, whole.isUsable { finished.append(whole.challenge) }
    open = nil
  }

  private func lowercased(_ token: ArraySlice<UInt8>) -> String {
    String(decoding: token, as: UTF8.self).lowercased()
  }
}
