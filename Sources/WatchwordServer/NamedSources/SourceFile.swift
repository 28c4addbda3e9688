internal import Glibc
internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordVocabulary

/// A file of the administrator's with a secret; its functions block.
enum SourceFile {
  /// - Parameter isPrivate: whether others must not be able to read it.
  static func contents(_ path: String, isPrivate: Bool = true) throws(SourceFault) -> Secret {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .unreadable }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
      information.st_uid == geteuid() || information.st_uid == 0
    else { throw .unreadable }
    guard !isPrivate || information.st_mode & 0o077 == 0 else { throw .looseMode }
    return try SourceText.contents { rest, _ in Glibc.read(descriptor, rest.baseAddress, rest.count) }
  }

  /// The one line of a file: a secret or a token that OAuth sends.
  static func line(_ path: String) throws(SourceFault) -> Secret {
    let contents = try contents(path)
    return try contents.withBytes { bytes throws(SourceFault) in try SourceText.line(bytes) }
  }

  /// A text that is no secret.
  static func text(_ path: String) throws(SourceFault) -> String {
    let contents = try contents(path, isPrivate: false)
    guard let text = contents.withBytes({ String(validating: $0, as: UTF8.self) }) else { throw .malformed }
    return text
  }

  /// Puts one line into the place of a file: the new file is complete and on the disk before it has the name.
  static func replace(_ path: String, with line: Secret) throws(SourceFault) {
    let new = path + ".new"
    _ = unlink(new)
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .unwritable }
    let isWritten =
      Secret(joining: [line, Secret([UInt8(ascii: "\n")])]).withBytes { SystemCall.write($0, to: descriptor) }
      && fsync(descriptor) == 0
    guard close(descriptor) == 0, isWritten, rename(new, path) == 0 else {
      _ = unlink(new)
      throw .unwritable
    }
    syncDirectory(of: path)
  }

  /// The name survives a loss of power, too; where that is not possible the file is there all the same.
  private static func syncDirectory(of path: String) {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let descriptor = open(
      end == path.startIndex ? "/" : String(path[..<end]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }
}

extension SourceText {
  /// What a source says up to its end.
  ///
  /// - Parameter read: as `SystemCall.fill` takes it.
  static func contents(
    _ read: (UnsafeMutableRawBufferPointer, Int) throws(SourceFault) -> Int
  ) throws(SourceFault) -> Secret {
    guard let contents = try SystemCall.secret(atMost: maximumBytes, read) else { throw .unreadable }
    guard contents.count <= maximumBytes else { throw .tooLarge }
    return contents
  }
}

/// A credential of the daemon's unit (systemd.exec(5), "Credentials").
enum SystemdCredential {
  /// Where systemd puts them.
  private static let directory = getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }

  /// Blocks.
  static func contents(of name: String) throws(SourceFault) -> Secret {
    guard let directory else { throw .unreadable }
    // systemd lets the service's account read it by an access control list, which looks like the group's
    // mode.
    return try SourceFile.contents("\(directory)/\(name)", isPrivate: false)
  }
}
