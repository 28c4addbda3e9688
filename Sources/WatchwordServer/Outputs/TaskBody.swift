internal import WatchwordCore

/// What a result says of its body.
enum TaskBody: Sendable {
  case bytes([UInt8])
  /// A descriptor that travels with the reply; closed by whoever sends it.
  case descriptor(Int32, size: Int64)
  /// The bytes went elsewhere: to a descriptor, into notifications, or nowhere.
  case size(Int64)
  /// So many bytes came; what they meant for the file that was to go on.
  case partial(size: Int64, PartialDownload.Continuation)
}
