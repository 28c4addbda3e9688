internal import Glibc

/// The mark beside a vault that is being made: an empty file with it is one whose making was cut short, and without it one
/// that another program has emptied.
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
