internal import Glibc
internal import WatchwordCore

/// The `body` of a result.
enum TaskBody: Sendable {
  case bytes([UInt8])
  /// A descriptor that is sent with the reply; its sender closes it.
  case descriptor(Int32, size: Int64)
  /// The bytes went to a descriptor or into notifications, or were discarded.
  case size(Int64)
  /// The number of bytes received, and what happened to the file that was to be continued.
  case partial(size: Int64, PartialDownload.Continuation)

  /// Closes a descriptor that no caller gets.
  func discard() {
    if case .descriptor(let number, _) = self { close(number) }
  }
}
