internal import Glibc

/// The environment of this process.
package enum Environment {
  /// A variable that is set and not empty.
  package static func value(of name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}

/// The program of this process.
package enum ProgramPath {
  private static let mark = " (deleted)"

  /// Where it was started from, also when another file has been put there since; nil when the system does not
  /// say.
  package static var own: String? {
    var link = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &link, link.count)
    guard count > 0 else { return nil }
    let path = String(decoding: link.prefix(count), as: UTF8.self)
    return path.hasSuffix(mark) && access(path, F_OK) != 0 ? String(path.dropLast(mark.count)) : path
  }

  /// Its folder, without a slash at the end.
  package static var folder: String? {
    own.flatMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } }
  }
}
