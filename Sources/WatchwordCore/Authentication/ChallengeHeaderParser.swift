package import WatchwordVocabulary

/// Parses `WWW-Authenticate` and `Proxy-Authenticate` fields by the grammar of RFC 9110 §11.
///
/// It reads from left to right. What deployed servers spell otherwise is read where it has one reading only
/// (challenges.md 6.1): a missing comma, a semicolon, an unquoted value that is no token. A byte that has
/// none makes the open challenge malformed, and reading goes on at the next comma. A quote that is not closed
/// ends the field: after it, a comma may or may not be inside quotes, and a challenge read from inside a
/// quoted string would be one that the server never sent. Of `Basic` and `Bearer` the name is enough to
/// answer, so that they keep what was read before the fault.
///
/// A response has room for thousands of challenges, and each that is read costs microseconds now and whenever
/// the task chooses again. Those beyond the bounds are counted by their schemes (challenges.md 6.2). Work is
/// linear in the bytes.
package struct ChallengeHeaderParser {
  /// What the fields of one response say.
  package struct Reading: Sendable, Equatable {
    /// In their order.
    package fileprivate(set) var challenges: [RawChallenge] = []
    /// Their schemes as the server spelled them.
    fileprivate(set) var spellings: [String] = []
    /// How many were not read, by scheme in lower case.
    package fileprivate(set) var unread: [String: Int] = [:]
    /// Those that cannot be answered as they are spelled, and those of other schemes.
    package var unusable = UnusableOffers()
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

  /// Schemes that are answered by a user's words alone: their parameters only inform.
  private static let namedSchemes: Set<String> = ["basic", "bearer"]

  private struct OpenChallenge {
    var challenge: RawChallenge
    /// As the server spelled it.
    let spelling: String
    /// Whether its scheme is one of those that are read.
    let isWanted: Bool
    /// Whether its parameters are kept.
    var isRead: Bool
    /// Whether its scheme was read without doubt.
    let isNamed: Bool
    var hasToken = false
    var names: Set<String> = []
    var fault: UnusableOffer.Reason?

    /// Whether a fault among the parameters takes nothing that an answer needs.
    var needsOnlyName: Bool { isNamed && ChallengeHeaderParser.namedSchemes.contains(challenge.scheme) }
  }

  /// The element before the one that is read.
  private enum Element {
    case none, scheme, quotedValue, otherValue
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
    var last = Element.none
    while true {
      let separator = reader.skipSeparators()
      if reader.isAtEnd { return finishOpenChallenge() }
      guard let name = reader.token() else {
        guard skipFault(after: last, separator) else { return }
        last = .none
        continue
      }
      let isParameter = reader.skipEqualsSign()
      let next = isParameter ? addParameter(name, after: separator) : addScheme(name, last, after: separator)
      if next == nil, !skipFault(after: last, separator) { return }
      last = next ?? .none
    }
  }

  /// Opens a challenge; nil when `name` can be no scheme here.
  private mutating func addScheme(
    _ name: ArraySlice<UInt8>, _ last: Element, after separator: FieldReader.Separator
  ) -> Element? {
    let isExpected =
      switch last {
      case .none: true
      // Two names with only a space between them are neither a challenge nor a parameter.
      case .scheme: separator >= .semicolon
      // Nothing else can follow a quoted string; an unquoted value may have two words.
      case .quotedValue: separator >= .whitespace
      case .otherValue: separator == .comma
      }
    guard isExpected else { return nil }
    guard reader.isAtSeparator else {
      // What follows is its own and no other's.
      noteFault(.malformed)
      finishOpenChallenge()
      openChallenge(name, isNamed: false)
      return nil
    }
    finishOpenChallenge()
    openChallenge(name)
    guard let token = reader.token68() else { return .scheme }
    if open?.isRead == true { open?.challenge.token68 = String(decoding: token, as: UTF8.self) }
    open?.hasToken = true
    return .otherValue
  }

  private mutating func openChallenge(_ name: ArraySlice<UInt8>, isNamed: Bool = true) {
    let spelling = String(decoding: name, as: UTF8.self)
    let challenge = RawChallenge(scheme: spelling.asciiLowercased)
    let isWanted = schemes?.contains(challenge.scheme) ?? true
    let isRead = isWanted && isNamed && begun < Self.maximumChallenges
    if isRead { begun += 1 }
    open = OpenChallenge(
      challenge: challenge, spelling: spelling, isWanted: isWanted, isRead: isRead, isNamed: isNamed)
  }

  /// Reads the value of the parameter called `name`; nil when there is none, or no challenge that can have
  /// it.
  private mutating func addParameter(
    _ name: ArraySlice<UInt8>, after separator: FieldReader.Separator
  ) -> Element? {
    guard open?.hasToken == false, separator > .nothing, let value = reader.parameterValue() else {
      return nil
    }
    // Of a value that is hashed, the apostrophes may or may not be part.
    if value.isInApostrophes, open?.needsOnlyName != true { return nil }
    add(String(decoding: name, as: UTF8.self).asciiLowercased, value.octets)
    if case .quoted = value { return .quotedValue }
    return .otherValue
  }

  private mutating func add(_ name: String, _ value: ArraySlice<UInt8>) {
    guard open?.isRead == true, open?.fault == nil else { return }
    guard open?.challenge.parameters.count ?? 0 < Self.maximumParameters else {
      open?.isRead = false
      return
    }
    // Changed in place: a copy for each parameter would take quadratic time.
    if open?.names.insert(name).inserted == true {
      open?.challenge.parameters.append(AuthenticationParameter(name, OctetString(octets: value)))
    } else {
      open?.fault = .repeatedParameter
    }
  }

  // MARK: Faults

  /// The element that is read has no meaning here. Goes on after it; false when the field cannot be read
  /// further.
  private mutating func skipFault(after last: Element, _ separator: FieldReader.Separator) -> Bool {
    if open == nil { result.unusable.add(UnusableOffer(scheme: "", reason: .malformed)) }
    // Nothing has ended the value before it for certain.
    let isInDoubt = separator == .nothing || (last == .otherValue && separator < .comma)
    if isInDoubt, open?.fault == nil, open?.challenge.parameters.isEmpty == false {
      open?.challenge.parameters.removeLast()
    }
    noteFault(.malformed)
    if reader.skipElement() { return true }
    if open?.fault == .malformed { open?.fault = .unclosedQuote }
    finishOpenChallenge()
    return false
  }

  private mutating func noteFault(_ reason: UnusableOffer.Reason) {
    if open?.fault == nil { open?.fault = reason }
  }

  private mutating func finishOpenChallenge() {
    defer { open = nil }
    guard let whole = open else { return }
    switch whole.fault {
    case _ where !whole.isWanted: note(whole, .unknownMethod)
    case .malformed where whole.needsOnlyName && whole.isRead,
      .unclosedQuote where whole.needsOnlyName && whole.isRead:
      keep(whole)
    case .some(let fault): note(whole, fault)
    case nil where whole.isRead: keep(whole)
    case nil:
      result.unread[whole.challenge.scheme, default: 0] += 1
      note(whole, .tooMany)
    }
  }

  private mutating func keep(_ challenge: OpenChallenge) {
    result.challenges.append(challenge.challenge)
    result.spellings.append(challenge.spelling)
  }

  private mutating func note(_ challenge: OpenChallenge, _ reason: UnusableOffer.Reason) {
    result.unusable.add(UnusableOffer(scheme: challenge.spelling, reason: reason))
  }
}

/// One challenge as the server spelled it, before checking whether it can be answered.
package struct RawChallenge: Sendable, Equatable {
  /// The authentication scheme in lower case.
  package var scheme: String
  /// In the order in which they were sent; no name twice.
  package var parameters: [AuthenticationParameter]
  /// The token68 that schemes such as Negotiate send instead of parameters; with its padding.
  package var token68: String?

  package init(scheme: String, parameters: [AuthenticationParameter] = [], token68: String? = nil) {
    self.scheme = scheme
    self.parameters = parameters
    self.token68 = token68
  }

  /// The value of the parameter called `name`, given in lower case.
  package func value(of name: String) -> OctetString? { parameters.first { $0.name == name }?.value }
}

/// One `name=value` of a challenge; the name in lower case, the value unquoted.
package struct AuthenticationParameter: Sendable, Hashable {
  package let name: String
  package let value: OctetString

  package init(_ name: String, _ value: OctetString) {
    self.name = name
    self.value = value
  }
}
