internal import CLoaded
package import WatchwordCore
internal import WatchwordVocabulary

/// Reads the beginning of a page with libxml2; not on the loop.
package enum HTMLPage {
  /// Whether the library that reads pages is installed.
  package static var isReadable: Bool { html_is_available() }

  /// What reading a page with these content codings holds beside the page.
  package static func decodingBytes(_ codings: [String]) -> Int {
    codings.isEmpty ? 0 : PageContent.decodingBytes
  }

  /// - Parameters:
  ///   - codings: the values of `Content-Encoding` that the bytes still have.
  ///   - contentType: the response's field, for its `charset`.
  ///   - isWhole: false when the page has more bytes than these.
  ///   - limit: of the bytes that are read when these codings are gone.
  package static func read(
    _ bytes: [UInt8], codings: [String] = [], contentType: String?, isWhole: Bool, limit: Int = .max,
    _ question: PageQuestion
  ) -> PageReading {
    guard !codings.isEmpty else { return parse(bytes, contentType, isWhole: isWhole, question) }
    guard let content = PageContent.decoded(bytes, codings, limit: limit) else { return .nothing }
    return parse(content.bytes, contentType, isWhole: isWhole && content.isWhole, question)
  }

  private static func parse(
    _ bytes: [UInt8], _ contentType: String?, isWhole: Bool, _ question: PageQuestion
  ) -> PageReading {
    var parser = PageParser(question)
    // Text in another encoding is hardly ever valid UTF-8 as well, and many pages do not say that they are in
    // UTF-8.
    let encoding = String(validating: bytes, as: UTF8.self) == nil ? charset(in: contentType) : "UTF-8"
    let isRead = withUnsafeMutablePointer(to: &parser) { parser in
      bytes.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return true }
        return html_read(
          start.assumingMemoryBound(to: CChar.self), bytes.count, encoding,
          html_events(begin: begin, end: end, text: text), parser)
      }
    }
    return isRead ? parser.finish(isWhole: isWhole) : .nothing
  }

  /// The parameter `charset` of a media type (RFC 9110 §8.3.2); nil when it is absent or no name of an
  /// encoding.
  private static func charset(in contentType: String?) -> String? {
    guard let contentType else { return nil }
    for parameter in contentType.split(separator: ";").dropFirst() {
      let pair = parameter.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[0].trimmed.lowercased() == "charset" else { continue }
      let name = pair[1].trimmed.filter { $0 != "\"" }
      return name.isEmpty || name.utf8.count > 40 || !FieldSyntax.isToken(name) ? nil : name
    }
    return nil
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let head = drop { $0 == " " || $0 == "\t" }
    return head[..<(head.lastIndex { $0 != " " && $0 != "\t" }.map(head.index(after:)) ?? head.startIndex)]
  }
}

private func begin(
  _ parser: UnsafeMutableRawPointer, _ name: UnsafePointer<CChar>,
  _ attributes: UnsafePointer<UnsafePointer<CChar>?>?
) -> Bool {
  var pairs: [(name: String, value: String)] = []
  var next = attributes
  while let place = next, let name = place[0] {
    pairs.append((String(cString: name), place[1].map { String(cString: $0) } ?? ""))
    next = place + 2
  }
  let element = PageElement(name: String(cString: name), attributes: pairs)
  return parser.assumingMemoryBound(to: PageParser.self).pointee.begin(element)
}

private func end(_ parser: UnsafeMutableRawPointer, _ name: UnsafePointer<CChar>) {
  parser.assumingMemoryBound(to: PageParser.self).pointee.end(String(cString: name))
}

private func text(_ parser: UnsafeMutableRawPointer, _ bytes: UnsafePointer<CChar>, _ count: Int) {
  let parser = parser.assumingMemoryBound(to: PageParser.self)
  guard parser.pointee.wantsText else { return }
  parser.pointee.text(String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self))
}

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
  /// - Returns: the decoded bytes, and whether these are all that `bytes` hold; nil when they cannot be
  ///   decoded.
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
