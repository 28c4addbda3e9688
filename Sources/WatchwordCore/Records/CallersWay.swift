package import WatchwordVocabulary

/// What callers have chosen of the way to a server, where neither the user nor the administrator has: a kept
/// credential counts over it only if it was given over the same way (storage.md 9.6.12).
///
/// Two are equal only when they lead to the holder of the same key, or to the same address.
package struct CallersWay: Sendable, Hashable {
  /// Of a name, and of three fingerprints.
  package static let maximumBytes = 512

  /// For the vault; no secret.
  package let text: String

  package init?(text: String) {
    guard !text.isEmpty, text.utf8.count <= CallersWay.maximumBytes else { return nil }
    self.text = text
  }

  /// Over https, with these roots.
  init(roots: String) { text = "roots \(roots)" }

  /// Over https, with an accepted chain that has this fingerprint.
  init(chain fingerprint: String) { text = "chain \(fingerprint)" }

  /// Over https, with an accepted key that has this fingerprint.
  init(key fingerprint: String) { text = "key \(fingerprint)" }

  /// A task's own proxy and a `Host` field are told beside these.
  var choices: [Choice] {
    let words = text.split(separator: " ")
    switch words.first {
    case "roots": return [.roots]
    case "chain", "key": return [.acceptedCertificate]
    case "forms": return [.forms]
    case "cleartext":
      let parts: [Choice] = [.addresses, .proxy, .roots]
      return zip(parts, words.dropFirst()).filter { $0.1 != "-" }.map(\.0)
    default: return []
    }
  }

  /// Through a proxy that a task has chosen.
  init(taskProxy proxy: Proxy) { text = "proxy \(proxy.text)" }

  /// To the server that a `Host` field names.
  init(host: NamedHost) { text = CallersWay.hostPrefix + host.text }

  /// Into the fields that the session's rules for login forms name; it concerns these only.
  init(forms: String) { text = "forms \(forms)" }

  var isForm: Bool { text.hasPrefix("forms ") }

  private static let hostPrefix = "host "

  fileprivate var isHost: Bool { text.hasPrefix(CallersWay.hostPrefix) }

  /// To the server that the URL names; said only beside ``init(host:)``.
  fileprivate static let ownHost = CallersWay(kept: "own host")

  private init(kept text: String) { self.text = text }

  /// Over http, to these addresses, through this proxy, which these roots verify.
  init(addresses: String?, proxy: Proxy?, roots: String?) {
    text = "cleartext \(addresses ?? "-") \(proxy?.text ?? "-") \(roots ?? "-")"
  }
}

/// The callers' ways over which a kept credential or identity was given, the oldest first.
package struct GivenWays: Sendable, Equatable {
  /// More than the private roots and self-signed servers of one account; the oldest goes first, at the cost
  /// of one question.
  package static let capacity = 16

  package private(set) var all: [CallersWay]

  /// - Parameter ways: those of one giving, or all that a record has.
  package init(_ ways: [CallersWay] = []) {
    all = []
    keep(ways)
  }

  /// It was given once more.
  mutating func add(_ ways: [CallersWay]) { add(GivenWays(ways)) }

  mutating func add(_ other: GivenWays) {
    let isForOwnHost = isForOwnHost || other.isForOwnHost
    keep(other.all)
    if isForOwnHost, all.contains(where: \.isHost) { keep([.ownHost]) }
  }

  private mutating func keep(_ ways: [CallersWay]) {
    for way in ways where !all.contains(way) && way.text.utf8.count <= CallersWay.maximumBytes {
      all.append(way)
    }
    while all.count > GivenWays.capacity, let oldest = all.firstIndex(where: isOneOfMany) {
      all.remove(at: oldest)
    }
  }

  /// The last server that a `Host` field named stays: without it, the credential would seem to be the URL's
  /// own server's.
  private func isOneOfMany(_ way: CallersWay) -> Bool { !way.isHost || all.count(where: \.isHost) > 1 }

  /// Whether it was given to the server that the URL names, and not only to others (storage.md 9.2.7).
  private var isForOwnHost: Bool { !all.contains(where: \.isHost) || all.contains(.ownHost) }

  func with(_ ways: [CallersWay]) -> GivenWays { with(GivenWays(ways)) }

  func with(_ other: GivenWays) -> GivenWays {
    var given = self
    given.add(other)
    return given
  }

  var heldBytes: Int { all.reduce(0) { $0 + HeldBytes.text($1.text.utf8.count) } }

  /// Whether it counts over all of these.
  func includes(_ ways: [CallersWay]) -> Bool {
    ways.allSatisfy(all.contains) && (isForOwnHost || ways.contains(where: \.isHost))
  }
}

extension [CallersWay] {
  /// Those over which a credential of this space goes.
  func concerning(_ space: ProtectionSpace) -> [CallersWay] {
    space.authenticationMethod == .htmlForm ? self : filter { !$0.isForm }
  }
}

/// How a request gets to its server, as far as a caller can choose it for each request (storage.md 9.2.7).
package struct RequestRoute: Sendable, Equatable {
  /// Nil: none, or the proxy itself gets the request.
  package var proxy: Proxy?
  /// Nil: the origin's own.
  package var host: NamedHost?

  package init(proxy: Proxy? = nil, host: NamedHost? = nil) {
    self.proxy = proxy
    self.host = host
  }
}

/// The server that a `Host` field names in place of its origin's (RFC 9110 §7.2): behind one address, and
/// often behind one certificate, there are servers of several owners.
package struct NamedHost: Sendable, Hashable {
  /// In lower case, with `\x` and two digits for each octet that is not of ASCII: equal texts are equal
  /// octets.
  package let text: String

  /// Nil when the field names the origin's host, with its port or without one.
  ///
  /// - Parameter field: its value; nil: no caller has chosen one.
  package init?(_ field: String?, at origin: Origin) {
    guard let field, !field.matchesASCIICase(of: origin.bracketedHost),
      !field.matchesASCIICase(of: "\(origin.bracketedHost):\(origin.port)")
    else { return nil }
    text = field.utf8.reduce(into: "") { text, octet in
      if octet < 0x80 {
        text.unicodeScalars.append(Unicode.Scalar(ASCIICase.lower(octet)))
      } else {
        text += "\\x" + String(octet, radix: 16)
      }
    }
  }
}
