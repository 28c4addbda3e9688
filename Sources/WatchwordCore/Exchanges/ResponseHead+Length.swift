internal import WatchwordVocabulary

extension ResponseHead {
  /// The bytes that the body of this response to `method` will have, if its head says so (RFC 9110 §8.6).
  ///
  /// - Parameter isDecoded: a coding is undone, after which there are more bytes than the head says.
  package func announcedBodyBytes(to method: String, isDecoded: Bool) -> Int64? {
    guard method != "HEAD", status != 304, !isDecoded || headers.first("content-encoding") == nil else {
      return nil
    }
    return headers.first("content-length").flatMap { Int64($0) }
  }
}
