internal import Glibc
internal import WatchwordCore
internal import WatchwordVocabulary

/// The file that holds the key of an account's vault: 32 random octets, mode 0600.
///
/// A loose mode is refused and not repaired: others may have read the key.
struct KeyFile: Sendable {
  static let name = "vault.key"

  let path: String

  init(in directory: String) { path = "\(directory)/\(KeyFile.name)" }

  /// Nil when there is no file.
  func read() throws(VaultFault) -> Secret? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if descriptor < 0 && errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw fault(errno) }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { throw fault(errno) }
    guard information.st_mode & S_IFMT == S_IFREG, information.st_uid == getuid(),
      information.st_mode & 0o077 == 0
    else { throw .unavailable("\(path): must be a file of yours alone, with mode 0600") }
    guard information.st_size == Seal.keyBytes else {
      throw .damaged("\(path): is not a key of \(Seal.keyBytes) octets")
    }
    var count = 0
    let key = Secret(count: Seal.keyBytes) { count = Glibc.read(descriptor, $0.baseAddress, $0.count) }
    guard count == Seal.keyBytes else { throw .unavailable("\(path): cannot be read") }
    return key
  }

  /// Writes a new key, which is on the disk when this returns. There must be no file.
  func create() throws(VaultFault) -> Secret {
    guard let key = Seal.randomKey() else { throw .unavailable("the system has no randomness") }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw fault(errno) }
    let isWritten = key.withBytes { write(descriptor, $0.baseAddress, $0.count) == $0.count }
    let isSynced = isWritten && fsync(descriptor) == 0
    let failure = errno
    close(descriptor)
    guard isSynced else {
      unlink(path)
      throw fault(failure)
    }
    return key
  }

  /// Does nothing when there is no file.
  func remove() throws(VaultFault) {
    guard unlink(path) == 0 || errno == ENOENT else { throw fault(errno) }
  }

  private func fault(_ failure: Int32) -> VaultFault {
    .unavailable("\(path): \(String(cString: strerror(failure)))")
  }
}
