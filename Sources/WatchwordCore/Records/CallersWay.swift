internal import WatchwordPrimitives
internal import WatchwordVocabulary

/// What callers have chosen of the way to a server, where neither the user nor the administrator has: a kept credential
/// counts over it only if it was given over the same way (storage.md 9.6.12).
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

  /// Through a proxy that a task has chosen.
  init(taskProxy proxy: Proxy) { text = "proxy \(proxy.text)" }

  /// To the server that a `Host` field names.
  init(host: NamedHost) { text = "host \(host.text)" }

  /// Over http, to these addresses, through this proxy, which these roots verify.
  init(addresses: String?, proxy: Proxy?, roots: String?) {
    text = "cleartext \(addresses ?? "-") \(proxy?.text ?? "-") \(roots ?? "-")"
  }
}

/// The callers' ways over which a kept credential or identity was given, the oldest first.
package struct GivenWays: Sendable, Equatable {
  /// More than the private roots and self-signed servers of one account; the oldest goes first, at the cost of one question.
  package static let capacity = 16

  package private(set) var all: [CallersWay] = []

  package init(_ ways: [CallersWay] = []) { add(ways) }

  package mutating func add(_ ways: [CallersWay]) {
    for way in ways where !all.contains(way) && way.text.utf8.count <= CallersWay.maximumBytes {
      all.append(way)
    }
    all.removeFirst(max(0, all.count - GivenWays.capacity))
  }

  func with(_ ways: [CallersWay]) -> GivenWays {
    var given = self
    given.add(ways)
    return given
  }

  var heldBytes: Int { all.reduce(0) { $0 + HeldBytes.text($1.text.utf8.count) } }

  func includes(_ ways: [CallersWay]) -> Bool { ways.allSatisfy(all.contains) }
}
