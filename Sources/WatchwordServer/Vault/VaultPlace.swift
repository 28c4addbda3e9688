internal import WatchwordSecret
internal import WatchwordVault

/// Where a vault is, and what the configuration has to open it with.
struct VaultPlace: Sendable {
  let state: StatePlace
  /// The directory around it.
  let outer: StatePlace
  /// Its name, from the administrator's configuration; nil: there is none.
  let systemdCredential: String?
  let secretService: SecretServiceUse

  var path: String { state.path }

  /// What is at hand to open the vault with. Blocks.
  ///
  /// - Parameter isOnLoop: whether only files are read.
  func keys(_ passphrase: Secret? = nil, isOnLoop: Bool = false) -> Vault.GivenKeys {
    let secretService: Vault.GivenKeys.SecretServiceAccess =
      switch self.secretService {
      case .not(let reason): .none(reason)
      case .through where isOnLoop: .later
      case .through(let program): DesktopSession.access(program)
      }
    guard let systemdCredential else {
      return Vault.GivenKeys(passphrase: passphrase, secretService: secretService)
    }
    let contents = try? SystemdCredential.contents(of: systemdCredential)
    guard let contents, !contents.isEmpty else {
      return Vault.GivenKeys(
        passphrase: passphrase, missingCredential: systemdCredential, secretService: secretService)
    }
    return Vault.GivenKeys(
      passphrase: passphrase, systemdCredential: contents, secretService: secretService)
  }
}

/// Whether the Secret Service of a desktop session keeps the key of a vault.
enum SecretServiceUse: Sendable {
  /// With the reason.
  case not(String)
  /// The program that asks it; nil: it is not installed.
  case through(String?)
}
