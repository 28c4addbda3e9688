internal import Glibc

/// One file of the state directory: read whole, written whole or not at all.
///
/// The new text is written to a second file, synced, and renamed over the old one: a crash, a kill or a loss
/// of power leaves one of the two, complete.
struct StateFile {
  /// Why a file is refused, for a person.
  struct Unreadable: Error {
    let text: String
  }

  let name: String
  let directory: StateDirectory

  /// A leftover of a killed daemon is overwritten by the next one.
  private static let newSuffix = ".new"

  var path: String { "\(directory.path)/\(name)" }

  /// - Returns: The bytes, possibly one more than `maximumBytes`; nil when there is no such file.
  func read(maximumBytes: Int) throws(StorageFault) -> Result<[UInt8], Unreadable>? {
    let descriptor = openat(directory.descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if descriptor < 0 && errno == ENOENT { return nil }
    if descriptor < 0 && (errno == ELOOP || errno == ENXIO) {
      return .failure(Unreadable(text: "is not a file (links are not followed)"))
    }
    guard descriptor >= 0 else { throw .system(PrivateDirectory.reason(path)) }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { throw .system(PrivateDirectory.reason(path)) }
    guard information.st_mode & S_IFMT == S_IFREG else {
      return .failure(Unreadable(text: "is not a file (links are not followed)"))
    }
    guard information.st_uid == getuid() else {
      return .failure(Unreadable(text: "belongs to another user"))
    }
    guard information.st_mode & 0o022 == 0 else {
      return .failure(Unreadable(text: "can be written by others; its mode must be 0600"))
    }
    var bytes = [UInt8](repeating: 0, count: maximumBytes + 1)
    guard let count = bytes.withUnsafeMutableBytes({ SystemCall.read(descriptor, into: $0) }) else {
      throw .system(PrivateDirectory.reason(path))
    }
    return .success(Array(bytes[..<count]))
  }

  func write(_ bytes: [UInt8]) throws(StorageFault) {
    let new = name + StateFile.newSuffix
    unlinkat(directory.descriptor, new, 0)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let descriptor = openat(directory.descriptor, new, flags, 0o600)
    guard descriptor >= 0 else { throw .system(PrivateDirectory.reason("\(directory.path)/\(new)")) }
    let isWritten = bytes.withUnsafeBytes { SystemCall.write($0, to: descriptor) } && fsync(descriptor) == 0
    var failure = isWritten ? nil : errno
    // Some file systems report only here that the disk is full.
    if close(descriptor) != 0 { failure = failure ?? errno }
    if failure == nil, renameat(directory.descriptor, new, directory.descriptor, name) != 0 {
      failure = errno
    }
    if let failure {
      unlinkat(directory.descriptor, new, 0)
      throw .system(PrivateDirectory.reason(path, failure))
    }
    guard fsync(directory.descriptor) == 0 else { throw .system(PrivateDirectory.reason(directory.path)) }
  }

  func remove() throws(StorageFault) {
    guard unlinkat(directory.descriptor, name, 0) == 0 || errno == ENOENT else {
      throw .system(PrivateDirectory.reason(path))
    }
    guard fsync(directory.descriptor) == 0 else { throw .system(PrivateDirectory.reason(directory.path)) }
  }
}

/// Why nothing can be stored; each text is the end of a sentence for a person.
enum StorageFault: Error, Sendable {
  /// No place is configured.
  case noPlace
  case inUse(String)
  /// The directory has a wrong owner, mode or type.
  case loose(String)
  case system(String)
  case full(String)

  var text: String {
    switch self {
    case .noPlace: "no --state-directory, STATE_DIRECTORY, XDG_STATE_HOME or HOME says where"
    case .inUse(let text), .loose(let text), .system(let text), .full(let text): text
    }
  }
}
