internal import Glibc
internal import WatchwordCore
package import WatchwordVocabulary

extension Vault {
  /// What is at hand to open a vault with, beside the key file.
  package struct GivenKeys: Sendable {
    package let passphrase: Secret?
    /// What the previous daemon has made of the passphrase.
    package var derived: DerivedKey?
    /// The contents of the configured one.
    package let systemdCredential: Secret?

    /// The name of the configured one, when it cannot be read.
    package let missingCredential: String?
    package let secretService: SecretServiceAccess

    package init(
      passphrase: Secret? = nil, systemdCredential: Secret? = nil, missingCredential: String? = nil,
      secretService: SecretServiceAccess = .none("it is not used here")
    ) {
      self.secretService = secretService
      self.passphrase = passphrase
      self.systemdCredential = systemdCredential
      self.missingCredential = missingCredential
    }

    /// For a vault that is to open with it from now on; nil: none is configured.
    func wantedCredential() throws(VaultFault) -> Secret? {
      if let missingCredential {
        throw .unavailable("the credential \(missingCredential) of systemd cannot be read")
      }
      return systemdCredential
    }
  }

  /// Opens the data key with what fits first, in the order of the kinds. A vault that has a passphrase waits
  /// for it when nothing else fits.
  static func unwrap(
    _ database: Database, _ path: String, in directory: String, of uid: UInt32, _ given: GivenKeys
  ) throws(VaultFault) -> Keys {
    let wrappings = try attempt(path) { () throws(SQLiteFault) in try Wrapping.all(in: database) }
    var fault: VaultFault?
    for kind in Opener.Kind.allCases {
      guard let wrapping = wrappings.first(where: { $0.kind == kind }) else { continue }
      do throws(VaultFault) {
        let opener = try opener(of: wrapping, path, in: directory, given)
        guard let seal = wrapping.open(with: opener, of: uid) else { throw misfit(kind, path, in: directory) }
        let others = wrappings.filter { $0.kind != kind }
        let openers = [opener] + others.compactMap { $0.opener(under: seal, of: uid) }
        return Keys(seal: seal, openers: openers, isIncomplete: openers.count < wrappings.count)
      } catch {
        if error == .postponed { throw error }
        // What a person can do is said rather than why it did not open by itself.
        fault = kind == .passphrase ? error : fault ?? error
      }
    }
    throw fault ?? .damaged("\(path): no key opens it")
  }

  private static func opener(
    of wrapping: Wrapping, _ path: String, in directory: String, _ given: GivenKeys
  ) throws(VaultFault) -> Opener {
    switch wrapping.kind {
    case .keyFile:
      let file = KeyFile(in: directory)
      guard let key = try file.read(), let seal = Seal(key) else {
        throw .unavailable("\(file.path): is missing, and opens the vault beside it")
      }
      return Opener(kind: .keyFile, parameters: wrapping.parameters, seal: seal)
    case .secretService: return try .stored(wrapping.parameters, given.secretService, path)
    case .systemdCredential:
      guard let secret = given.systemdCredential else {
        let name = given.missingCredential ?? "that the configuration does not name"
        throw .unavailable("\(path): opens with a credential of systemd, \(name), that cannot be read")
      }
      return try Opener(.systemdCredential, stored: wrapping.parameters, from: secret, in: path)
    case .passphrase:
      if let derived = given.derived, derived.parameters == wrapping.parameters, let seal = Seal(derived.key)
      {
        return Opener(kind: .passphrase, parameters: wrapping.parameters, seal: seal)
      }
      guard let passphrase = given.passphrase else { throw .locked }
      return try Opener(.passphrase, stored: wrapping.parameters, from: passphrase, in: path)
    }
  }

  private static func misfit(_ kind: Opener.Kind, _ path: String, in directory: String) -> VaultFault {
    switch kind {
    case .keyFile: .damaged("\(KeyFile(in: directory).path): does not fit the vault beside it")
    case .secretService: .damaged("\(path): the key of the Secret Service does not fit")
    case .systemdCredential: .unavailable("\(path): the credential of systemd is not the one that opens it")
    case .passphrase: .wrongPassphrase
    }
  }
}

/// The mark beside a vault that is being made: an empty file with it is one whose making was cut short, and
/// without it one that another program has emptied.
struct VaultMaking {
  private static let fileName = "vault.new"

  private let directory: String
  private let path: String

  init(in directory: String) {
    self.directory = directory
    path = "\(directory)/\(VaultMaking.fileName)"
  }

  var isUnfinished: Bool { faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0 }

  /// The mark is on the disk when this returns.
  func begin() throws(VaultFault) {
    let mark = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard mark >= 0 else { throw .unavailable("\(path): \(String(cString: strerror(errno)))") }
    close(mark)
    try synchronize()
  }

  /// The vault is on the disk, and its name before the mark goes.
  func end() throws(VaultFault) {
    guard isUnfinished else { return }
    try synchronize()
    guard unlink(path) == 0 || errno == ENOENT else {
      throw .unavailable("\(path): \(String(cString: strerror(errno)))")
    }
  }

  private func synchronize() throws(VaultFault) {
    let folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw .unavailable("\(directory): \(String(cString: strerror(errno)))") }
    defer { close(folder) }
    guard fsync(folder) == 0 else {
      throw .unavailable("\(directory): \(String(cString: strerror(errno)))")
    }
  }
}

/// What a file is, and when it was written last: to notice that another program has replaced, emptied or
/// altered it.
struct FileState: Sendable, Equatable {
  private let device: UInt64
  private let inode: UInt64
  private let size: Int64
  private let seconds: Int
  private let nanoseconds: Int

  /// Nil when there is no such file.
  init?(of path: String) {
    var information = stat()
    guard lstat(path, &information) == 0 else { return nil }
    device = UInt64(information.st_dev)
    inode = UInt64(information.st_ino)
    size = Int64(information.st_size)
    seconds = information.st_mtim.tv_sec
    nanoseconds = information.st_mtim.tv_nsec
  }

  /// Whether it is the same file, written meanwhile or not.
  func isSameFile(as other: FileState) -> Bool { device == other.device && inode == other.inode }
}
