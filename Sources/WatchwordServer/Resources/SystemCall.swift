internal import Glibc
internal import WatchwordVocabulary

/// Calls of the system that a signal may interrupt (signal(7)), and that may transfer a part of what is
/// wanted.
enum SystemCall {
  /// Makes a call that returns a count, or a negative number with `errno`: again when a signal has
  /// interrupted it.
  static func uninterrupted<Failure: Error>(_ call: () throws(Failure) -> Int) throws(Failure) -> Int {
    while true {
      let result = try call()
      if result >= 0 || errno != EINTR { return result }
    }
  }

  /// Reads until the buffer is full or the source ends.
  ///
  /// - Parameter read: as read(2), with the rest of the buffer and the number of bytes before it.
  /// - Returns: The number of bytes; nil, with `errno`, when the source cannot be read.
  static func fill<Failure: Error>(
    _ buffer: UnsafeMutableRawBufferPointer,
    _ read: (UnsafeMutableRawBufferPointer, Int) throws(Failure) -> Int
  ) throws(Failure) -> Int? {
    var count = 0
    while count < buffer.count {
      let taken = try uninterrupted { () throws(Failure) in
        try read(UnsafeMutableRawBufferPointer(rebasing: buffer[count...]), count)
      }
      guard taken > 0 else { return taken < 0 ? nil : count }
      count += taken
    }
    return count
  }

  /// Writes until nothing is left.
  ///
  /// - Parameter write: as write(2).
  /// - Returns: Whether all has been written; if not, `errno` gives the reason.
  static func drain(_ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Int) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let written = uninterrupted { write(rest) }
      // Nothing says why.
      if written == 0 { errno = EIO }
      guard written > 0 else { return false }
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
    return true
  }

  /// Fills the buffer from where the descriptor is.
  static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    fill(buffer) { rest, _ in Glibc.read(descriptor, rest.baseAddress, rest.count) }
  }

  /// Writes all of it where the descriptor is.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    drain(bytes) { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }

  /// What a source gives up to its end, in memory that is wiped.
  ///
  /// - Parameter maximum: in bytes; one more shows that the source has more.
  /// - Returns: Nil when it cannot be read; `errno` need not be its reason any more.
  static func secret<Failure: Error>(
    atMost maximum: Int, _ read: (UnsafeMutableRawBufferPointer, Int) throws(Failure) -> Int
  ) throws(Failure) -> Secret? {
    var count: Int?
    let whole = try Secret(count: maximum + 1) { buffer throws(Failure) in count = try fill(buffer, read) }
    return count.map { count in
      whole.withBytes { Secret(copying: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }
}
