/// Why a vault cannot be used; each text is the end of a sentence for a person.
package enum VaultFault: Error, Sendable, Equatable {
  /// The file is no vault, is truncated or altered, or its keys do not fit. It is left as it is.
  case damaged(String)
  /// The disk, a mode, a key that is missing, or the schema of a later version.
  case unavailable(String)
  /// The Secret Service does not give the key now, and may do so later; or its collection is locked.
  case keyring(String, isLocked: Bool)
  /// The key is with the Secret Service, which was not to be asked now.
  case postponed
  /// No key at hand opens it: it waits for its passphrase.
  case locked
  case wrongPassphrase
  /// There is one already where one was to be made.
  case alreadyMade

  package var text: String {
    switch self {
    case .damaged(let text), .unavailable(let text), .keyring(let text, _): text
    case .postponed: "the vault is not read yet"
    case .locked: "the vault is locked"
    case .wrongPassphrase: "the passphrase is wrong"
    case .alreadyMade: "there is a vault already"
    }
  }
}
