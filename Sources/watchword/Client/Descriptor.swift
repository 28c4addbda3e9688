internal import CLinux
internal import Glibc
internal import WatchwordVocabulary

/// A file descriptor with one owner, closed at the owner's end.
struct Descriptor: ~Copyable {
  let number: Int32

  init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  /// Passes the duty to close it to the caller.
  consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// Opens the null device or a file, whose name is ``OctetText``; nil with `errno` set.
  static func opened(_ path: String, _ flags: Int32, mode: UInt32 = 0o666) -> Descriptor? {
    let number = open(OctetText.cString(path), flags | O_CLOEXEC, mode)
    return number < 0 ? nil : Descriptor(owning: number)
  }
}

/// The two ends of a pipe.
struct Pipe: ~Copyable {
  let reading: Descriptor
  let writing: Descriptor

  /// nil with `errno` set.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard caller_pipe(&ends) == 0 else { return nil }
    reading = Descriptor(owning: ends[0])
    writing = Descriptor(owning: ends[1])
  }

  /// The end to read from; the other one is closed.
  consuming func keepReading() -> Descriptor { reading }

  /// Both ends, each to an owner of its own.
  consuming func move(to reading: inout Descriptor?, _ writing: inout Descriptor?) {
    reading = consume self.reading
    writing = consume self.writing
  }
}
