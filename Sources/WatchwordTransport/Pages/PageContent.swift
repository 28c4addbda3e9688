/// The beginning of a page as it was before its content codings (RFC 9110 §8.4.1); not on the loop.
///
/// A caller that decodes no content itself gets it as it came, and yet a login page is one.
enum PageContent {
  /// Steps of a decoding, which bound what layers that expand each other may cost.
  private static let maximumSteps: UInt64 = 8

  /// What decoding may hold: two windows of Brotli, which are the largest, and the buffers.
  static let decodingBytes = 40 << 20

  /// - Parameters:
  ///   - codings: the values of `Content-Encoding`.
  ///   - limit: of the decoded bytes.
  /// - Returns: the decoded bytes, and whether these are all that `bytes` hold; nil when they cannot be decoded.
  static func decoded(
    _ bytes: [UInt8], _ codings: [String], limit: Int
  ) -> (bytes: [UInt8], isWhole: Bool)? {
    var held = 0
    do {
      let decoding = try ContentDecoding(codings) { change in
        guard change < 0 || held + change <= decodingBytes else { return false }
        held += change
        return true
      }
      guard let decoding else { return (bytes, true) }
      var decoded: [UInt8] = []
      for step in 1...maximumSteps {
        let progress = try bytes.withUnsafeBytes { bytes in
          try decoding.receive(bytes, inStep: step, isOver: { false }) { piece in
            guard decoded.count < limit else { return false }
            decoded += piece.prefix(limit - decoded.count)
            return true
          }
        }
        if progress != .unfinished { return (decoded, progress == .taken) }
      }
      return (decoded, false)
    } catch {
      return nil
    }
  }
}
