internal import CLinux
internal import Glibc
internal import WatchwordPrimitives

/// Starts another program, which inherits no descriptor of ours except the one that it prints to.
package enum ChildProcess {
  /// The path and the arguments are ``OctetText``.
  ///
  /// The pid; nil with `errno` set. A detached one outlives us: it leads a session of its own and says its errors to `output` as well.
  package static func start(
    _ path: String, _ arguments: [String], output: borrowing Descriptor, isDetached: Bool
  ) -> Int32? {
    var pointers: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup(OctetText.cString($0)) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    let pid = caller_spawn(OctetText.cString(path), pointers, output.number, isDetached ? 1 : 0)
    return pid < 0 ? nil : pid
  }
}
