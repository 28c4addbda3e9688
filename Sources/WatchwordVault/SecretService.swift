package import WatchwordCore
package import WatchwordVocabulary

/// Where a desktop session keeps the keys of vaults (the Secret Service API of freedesktop.org).
///
/// Its methods block, for some seconds at most.
package protocol SecretService: Sendable {
  /// - Returns: What the item has; nil when there is none.
  func key(_ identifier: String) throws(VaultFault) -> Secret?
  /// - Parameter path: of the vault, for the person who looks at the item.
  func keep(_ key: Secret, as identifier: String, for path: String) throws(VaultFault)
  /// Does nothing when there is no item, or no service.
  func remove(_ identifier: String)
}

extension Vault.GivenKeys {
  /// Whether the Secret Service is asked.
  package enum SecretServiceAccess: Sendable {
    /// No, and why.
    case none(String)
    /// Not now: it would block.
    case later
    case now(any SecretService)
  }
}

extension Vault.Opener {
  private static let identifierBytes = 16

  /// A new key in a new item, which is there and can be read when this returns.
  static func kept(in service: any SecretService, for path: String) throws(VaultFault) -> Vault.Opener {
    guard let key = Seal.randomKey(), let octets = Seal.randomOctets(identifierBytes), let seal = Seal(key)
    else { throw .unavailable("the system has no randomness") }
    let identifier = octets.withUnsafeBytes { Hexadecimal.text($0) }
    try service.keep(key, as: identifier, for: path)
    guard try service.key(identifier) == key else {
      service.remove(identifier)
      throw .keyring("the Secret Service does not give back what it was given", isLocked: false)
    }
    return Vault.Opener(kind: .secretService, parameters: Array(identifier.utf8), seal: seal)
  }

  /// As stored.
  static func stored(
    _ parameters: [UInt8], _ access: Vault.GivenKeys.SecretServiceAccess, _ path: String
  ) throws(VaultFault) -> Vault.Opener {
    switch access {
    case .none(let reason):
      throw .keyring("\(path): opens with a key of the Secret Service: \(reason)", isLocked: false)
    case .later: throw .postponed
    case .now(let service):
      guard let identifier = identifier(parameters) else {
        throw .damaged("\(path): the parameters of its \(Kind.secretService.text) are malformed")
      }
      guard let key = try service.key(identifier) else {
        throw .keyring(
          "\(path): the Secret Service has no item with the attribute vault=\(identifier), which opens it",
          isLocked: false)
      }
      guard let seal = Seal(key) else { throw .damaged("\(path): its \(Kind.secretService.text) is no key") }
      return Vault.Opener(kind: .secretService, parameters: parameters, seal: seal)
    }
  }

  /// The identifier of the item; nil when it has none, or a malformed one: it becomes an argument of a
  /// program.
  var item: String? { kind == .secretService ? Vault.Opener.identifier(parameters) : nil }

  private static func identifier(_ parameters: [UInt8]) -> String? {
    guard parameters.count == 2 * identifierBytes,
      parameters.allSatisfy({ Hexadecimal.value(ofDigit: $0) != nil })
    else { return nil }
    return String(decoding: parameters, as: UTF8.self)
  }
}
