package import WatchwordCore
internal import WatchwordJSON
internal import WatchwordVocabulary

/// Names sessions after their settings, so that the same settings meet again (messages.md 4.14).
///
/// A name tells nothing of the settings, which may hold secrets: it is their code under a key that the daemon
/// makes when it starts. That two sessions have the same name only if their settings are equal, the registry
/// checks besides.
package struct SettingsName: Sendable {
  /// Only the daemon chooses such names.
  package static let prefix = "settings-"

  private let key: MessageKey

  package init(_ key: MessageKey) { self.key = key }

  /// - Parameter variant: tells sessions with the same settings apart.
  /// - Returns: nil when SHA-256 is not available.
  package func name(of configuration: SessionConfiguration, variant: String?) -> String? {
    let code = key.code { hash in
      SettingsName.feed(configuration.value, to: &hash)
      if let variant { SettingsName.feed(.string(variant), to: &hash) }
    }
    return code.map { SettingsName.prefix + $0.hexadecimal }
  }

  /// Gives a value to the hash such that no two values give the same bytes: each says its type and how long
  /// it is.
  private static func feed(_ value: JSONValue, to hash: inout Hash) {
    switch value {
    case .null: hash.update("n")
    case .bool(let isTrue): hash.update(isTrue ? "t" : "f")
    case .integer(let number): feed("i", number, to: &hash)
    case .real(let number): feed("r", number.bitPattern, to: &hash)
    case .string(let text):
      feed("s", text.utf8.count, to: &hash)
      hash.update(text)
    case .secret(let secret):
      feed("s", secret.count, to: &hash)
      hash.update(secret)
    case .array(let elements):
      feed("a", elements.count, to: &hash)
      for element in elements { feed(element, to: &hash) }
    case .object(let object):
      feed("o", object.members.count, to: &hash)
      for member in object.members {
        feed(.string(member.name), to: &hash)
        feed(member.value, to: &hash)
      }
    }
  }

  private static func feed(_ type: StaticString, _ number: some FixedWidthInteger, to hash: inout Hash) {
    hash.update(type)
    withUnsafeBytes(of: UInt64(truncatingIfNeeded: number).bigEndian) { hash.update($0) }
  }
}
