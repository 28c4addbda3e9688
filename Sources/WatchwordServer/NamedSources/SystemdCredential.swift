internal import Glibc
internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordSecret

/// A credential of the daemon's unit (systemd.exec(5), "Credentials").
enum SystemdCredential {
  /// Where systemd puts them.
  private static let directory = getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }

  /// Blocks.
  static func contents(of name: String) throws(SourceFault) -> Secret {
    guard let directory else { throw .unreadable }
    // systemd lets the service's account read it by an access control list, which looks like the group's mode.
    return try SourceFile.contents("\(directory)/\(name)", isPrivate: false)
  }
}

extension Parameter {
  /// The name of a credential, which is no path.
  func systemdCredential() throws(RPCError) -> String {
    let name = try string(maximumBytes: 255)
    guard !name.isEmpty, name != ".", name != "..",
      !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
    else { throw fault("must be a credential's name, not a path") }
    return name
  }

  /// The absolute path of a file.
  func filePath() throws(RPCError) -> String {
    let path = try string(maximumBytes: 4096)
    guard path.hasPrefix("/"), !path.utf8.contains(0) else { throw fault("must be an absolute path") }
    return path
  }
}
