internal import Glibc
internal import WatchwordCore
internal import WatchwordSecret

/// Collects what a source says, in memory that is wiped.
enum SourceBytes {
  /// - Parameter read: as read(2).
  static func all(_ read: (UnsafeMutableRawBufferPointer) throws(SourceFault) -> Int) throws(SourceFault)
    -> Secret
  {
    var count = 0
    // One byte more than allowed shows that there is too much.
    let whole = try Secret(count: SourceText.maximumBytes + 1) { buffer throws(SourceFault) in
      while count < buffer.count {
        let taken = try read(UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
        if taken < 0, errno == EINTR { continue }
        guard taken >= 0 else { throw .unreadable }
        if taken == 0 { break }
        count += taken
      }
    }
    guard count <= SourceText.maximumBytes else { throw .tooLarge }
    return whole.withBytes { Secret(copying: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }
}
