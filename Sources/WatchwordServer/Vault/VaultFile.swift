internal import Glibc
internal import WatchwordCore
internal import WatchwordVault
internal import WatchwordVocabulary

/// An open vault with the lock of its directory. Its methods block.
struct VaultFile: Sendable {
  /// A vault that has just been opened, and what is in it.
  struct Opened: Sendable {
    let file: VaultFile
    let contents: VaultContents
    let isNew: Bool
  }

  struct OpeningFault: Error, Sendable {
    let fault: VaultFault
    /// Whether another daemon holds it, which may end.
    var isInUse = false
  }

  let directory: StateDirectory
  let vault: Vault

  /// What a look for a vault has come to; nil when there is none and none was made.
  typealias OpeningResult = Result<Opened?, OpeningFault>

  static func open(
    _ place: VaultPlace, of uid: UInt32, isMade: Bool, passphrase: Secret? = nil,
    _ clocks: CredentialRecord.Clocks
  ) -> OpeningResult {
    Result { () throws(OpeningFault) in
      try openFile(place, of: uid, isMade: isMade, { place.keys(passphrase) }, clocks)
    }
  }

  /// The same at the daemon's start, on the loop: only files are read.
  ///
  /// - Parameter derived: what the previous daemon has made of the passphrase.
  static func openAtStart(
    _ place: VaultPlace, of uid: UInt32, _ derived: DerivedKey?, _ clocks: CredentialRecord.Clocks
  ) -> OpeningResult {
    Result { () throws(OpeningFault) in
      let given: () -> Vault.GivenKeys = {
        var keys = place.keys(isOnLoop: true)
        keys.derived = derived
        return keys
      }
      return try openFile(place, of: uid, isMade: false, given, clocks)
    }
  }

  private static func openFile(
    _ place: VaultPlace, of uid: UInt32, isMade: Bool, _ given: () -> Vault.GivenKeys,
    _ clocks: CredentialRecord.Clocks
  ) throws(OpeningFault) -> Opened? {
    let directory: StateDirectory
    do throws(StorageFault) {
      try checkParent(place.state)
      guard let opened = try StateDirectory.open(place.state, isMade: isMade) else { return nil }
      directory = opened
    } catch {
      switch error {
      case .inUse: throw OpeningFault(fault: .unavailable(error.text), isInUse: true)
      case .noPlace, .loose, .system, .full: throw OpeningFault(fault: .unavailable(error.text))
      }
    }
    do throws(VaultFault) {
      let isThere = access("\(place.path)/\(Vault.fileName)", F_OK) == 0
      guard
        let vault = try Vault.open(in: place.path, of: uid, isMade: isMade, given: given())
      else { return nil }
      let contents = VaultContents(try vault.contents(), clocks)
      return Opened(
        file: VaultFile(directory: directory, vault: vault), contents: contents, isNew: !isThere)
    } catch {
      throw OpeningFault(fault: error)
    }
  }

  /// The directory around it must be private, too: otherwise others could replace it.
  private static func checkParent(_ place: StatePlace) throws(StorageFault) {
    guard let parent = place.parents.last else { return }
    var information = stat()
    guard lstat(parent, &information) == 0 else { return }
    do throws(PrivateDirectory.DirectoryFault) {
      try PrivateDirectory.check(information, parent)
    } catch {
      throw .loose(error.text)
    }
  }

  /// The accounts that have a vault.
  static func accounts(in place: StatePlace, prefix: String) -> [UInt32] {
    guard let stream = opendir(place.path) else { return [] }
    defer { closedir(stream) }
    var accounts: Set<UInt32> = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasPrefix(prefix), let uid = UInt32(name.dropFirst(prefix.count)), name == "\(prefix)\(uid)" {
        accounts.insert(uid)
      }
    }
    return accounts.sorted()
  }

  func write(_ written: VaultTransaction.Written, _ clocks: CredentialRecord.Clocks) throws(VaultFault) {
    guard !directory.isGone else { throw .unavailable("\(directory.path): was removed") }
    try vault.write(written.records(clocks), removing: written.removed)
  }
}

extension VaultLifecycle.Opening {
  init(_ outcome: VaultFile.OpeningResult) {
    switch outcome {
    case .success(.some): self = .found
    case .success(nil): self = .nothing
    case .failure(let failure): self = .failed(failure.fault, isInUse: failure.isInUse)
    }
  }
}

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
