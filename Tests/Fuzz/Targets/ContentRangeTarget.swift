internal import WatchwordCore
internal import WatchwordVocabulary

/// The `Content-Range` and `ETag` of a response to a request for the rest of a file: the size that the file has, then
/// the fields, a line each.
enum ContentRangeTarget {
  private static let statuses = [200, 206, 416, 404]

  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    var reader = InputReader(input)
    let status = statuses[reader.choice(statuses.count)]
    let size = Int64(reader.byte())
    let lines = reader.lines
    let headers = lines.dropFirst().map { HeaderField("Content-Range", $0) }
    let tag = lines.first.map { [HeaderField("ETag", $0)] } ?? []
    let head = ResponseHead(status: status, headers: headers + tag)
    let download = PartialDownload(size: size, validator: #""v""#)
    switch download.continuation(head) {
    case .continued:
      require(status == 206 && headers.count == 1, "a rest that the head does not promise")
      let value = headers.first?.value.lowercased() ?? ""
      // Leading zeros are digits, too.
      let first = value.dropFirst("bytes ".utf8.count).prefix { $0.isASCII && $0.isNumber }
      require(size > 0 && Int64(first) == size, "a rest that begins elsewhere")
    case .complete: require(status == 416 && size > 0, "a whole that the head does not promise")
    case .restarted: require(status == 200, "a part in the place of the whole")
    case .discarded: require(status != 206, "a part that is taken for a page")
    case nil: require(status == 206, "a page that is taken for a part")
    }
  }
}
