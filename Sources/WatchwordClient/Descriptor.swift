internal import CLinux
internal import Glibc
internal import WatchwordPrimitives

/// A file descriptor with one owner, closed at the owner's end.
package struct Descriptor: ~Copyable {
  package let number: Int32

  package init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  /// Passes the duty to close it to the caller.
  package consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// Opens the null device or a file, whose name is ``OctetText``; nil with `errno` set.
  package static func opened(_ path: String, _ flags: Int32, mode: UInt32 = 0o666) -> Descriptor? {
    let number = open(OctetText.cString(path), flags | O_CLOEXEC, mode)
    return number < 0 ? nil : Descriptor(owning: number)
  }
}
