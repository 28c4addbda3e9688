internal import Glibc

/// The folder of the programs that were installed together.
package enum ProgramFolder {
  /// The folder of this process's program, without a slash at the end; nil when the system does not report it.
  package static var own: String? {
    var link = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &link, link.count)
    guard count > 0 else { return nil }
    let program = String(decoding: link.prefix(count), as: UTF8.self)
    return program.lastIndex(of: "/").map { String(program[..<$0]) }
  }
}
