internal import Glibc

/// The rule for directories that the daemon trusts: created with their mode, else checked, and never changed.
///
/// A loose mode is refused, not repaired: others may have written there before (security.md 2).
enum PrivateDirectory {
  /// Each text is for a person.
  enum Fault: Error {
    /// A link, owned by another user, or open to others.
    case loose(String)
    case system(String)

    var text: String {
      switch self {
      case .loose(let text), .system(let text): text
      }
    }
  }

  /// Creates the directory unless a file of its name exists.
  static func make(_ path: String) throws(Fault) {
    let previous = umask(0o077)
    let made = mkdir(path, 0o700)
    let failure = errno
    umask(previous)
    guard made == 0 || failure == EEXIST else { throw .system(reason(path, failure)) }
  }

  /// - Parameters:
  /// - information: of the directory itself, not of a link's target.
  /// - othersMayEnter: whether it may also belong to root and be readable by others.
  static func check(_ information: stat, _ path: String, othersMayEnter: Bool = false) throws(Fault) {
    guard information.st_mode & S_IFMT == S_IFDIR else {
      throw .loose("\(path): is not a directory (links are not followed)")
    }
    guard information.st_uid == getuid() || (othersMayEnter && information.st_uid == 0) else {
      throw .loose("\(path): belongs to another user")
    }
    let forbidden: mode_t = othersMayEnter ? 0o022 : 0o077
    guard information.st_mode & forbidden == 0 else {
      throw .loose("\(path): is open to others; its mode must be 0700")
    }
  }

  static func reason(_ path: String, _ failure: Int32 = errno) -> String {
    "\(path): \(String(cString: strerror(failure)))"
  }
}
