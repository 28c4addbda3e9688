internal import CLinux
internal import Glibc
internal import WatchwordClient
internal import WatchwordPrimitives
internal import WatchwordSecret

/// The netrc file of `-n` and `--netrc-file`: this program reads it, the daemon gets its octets, and says what in it is wrong.
struct NetrcFile {
  let path: String
  /// Whether it may be missing, as with `--netrc-optional`.
  let isOptional: Bool

  /// `.netrc` in the home folder.
  static var ofHome: String { "\(SocketPath.environment("HOME") ?? "")/.netrc" }

  /// Its octets; nil if it may be missing and is.
  ///
  /// A file that others may read or that is another user's is refused: its passwords are no secrets.
  func text() throws(Failure) -> Secret? {
    let name = DisplayText.escaped(path)
    guard let file = Descriptor.opened(path, O_RDONLY) else {
      if isOptional, errno == ENOENT { return nil }
      throw Failure("\(name) cannot be read: \(Output.lastError)", exitCode: .inputFailed)
    }
    var status = stat()
    guard fstat(file.number, &status) == 0 else {
      throw Failure("\(name) cannot be read: \(Output.lastError)", exitCode: .inputFailed)
    }
    guard status.st_mode & 0o077 == 0 || status.st_mode & S_IFMT != S_IFREG else {
      throw Failure("\(name) can be read by other users", hint: "chmod 600 \(name)")
    }
    guard status.st_uid == geteuid() || status.st_uid == 0 || status.st_mode & S_IFMT != S_IFREG else {
      throw Failure("\(name) belongs to another user")
    }
    CoreDumps.forbid()
    return try SecretReader.all(from: file, named: path)
  }
}
