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

extension ParameterReader {
  /// The name of a credential, which is no path.
  mutating func optionalSystemdCredential(_ member: String) throws(RPCError) -> String? {
    guard let name = try optionalString(member, maximumBytes: 255) else { return nil }
    guard !name.isEmpty, name != ".", name != "..",
      !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
    else { throw fault(member, "must be a credential's name, not a path") }
    return name
  }
}
