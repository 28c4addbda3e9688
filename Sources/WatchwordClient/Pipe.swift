internal import CLinux

/// The two ends of a pipe.
package struct Pipe: ~Copyable {
  package let reading: Descriptor
  package let writing: Descriptor

  /// nil with `errno` set.
  package init?() {
    var ends: [Int32] = [-1, -1]
    guard caller_pipe(&ends) == 0 else { return nil }
    reading = Descriptor(owning: ends[0])
    writing = Descriptor(owning: ends[1])
  }

  /// The end to read from; the other one is closed.
  package consuming func keepReading() -> Descriptor { reading }

  /// Both ends, each to an owner of its own.
  package consuming func move(to reading: inout Descriptor?, _ writing: inout Descriptor?) {
    reading = consume self.reading
    writing = consume self.writing
  }
}
