internal import WatchwordCore

/// The `body` of a result.
enum TaskBody: Sendable {
  case bytes([UInt8])
  /// Is sent with the reply.
  case file(MemoryFile)
  /// The bytes went to a descriptor or into notifications, or were discarded.
  case size(Int64)
  /// The number of bytes received, and what happened to the file that was to be continued.
  case partial(size: Int64, PartialDownload.Continuation)
}
