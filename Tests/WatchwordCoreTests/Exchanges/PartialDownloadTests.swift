import Testing
import WatchwordCore
import WatchwordVocabulary

@Suite struct PartialDownloadTests {
  private let file = PartialDownload(size: 400, validator: #""v1""#)

  private func continuation(
    _ status: Int, _ fields: (String, String)..., of file: PartialDownload? = nil
  ) -> PartialDownload.Continuation? {
    let headers = fields.map { HeaderField($0, $1) }
    return (file ?? self.file).continuation(ResponseHead(status: status, headers: headers))
  }

  @Test func theRestIsAskedForIfItIsStillTheVersion() {
    #expect(file.fields == [HeaderField("Range", "bytes=400-"), HeaderField("If-Range", #""v1""#)])
    #expect(PartialDownload(size: 0, validator: #""v1""#).fields.isEmpty)
  }

  @Test(arguments: [
    "bytes 400-999/1000", "bytes 400-999/*", "BYTES 400-400/401",
    "bytes 400-9223372036854775806/9223372036854775807",
  ])
  func theRestFollowsWhatIsThere(range: String) {
    #expect(continuation(206, ("Content-Range", range)) == .continued)
    #expect(continuation(206, ("content-range", range), ("ETag", #""v1""#)) == .continued)
  }

  @Test(arguments: [
    "bytes 0-999/1000", "bytes 399-999/1000", "bytes 401-999/1000", "bytes 400-399/1000",
    "bytes 400-1000/1000", "bytes 400-999", "bytes 400-/1000", "bytes +400-999/1000", "bytes 400-999/-1",
    "bytes 400-999/1000/1000", "bytes 400-99999999999999999999/*", "lines 400-999/1000", "bytes=400-999/1000",
    "bytes  400-999/1000", "bytes */1000", "bytes ", "", "bytes 400-998/1000", "bytes 400-400/1000",
  ])
  func anyOtherPartIsRefused(range: String) {
    #expect(continuation(206, ("Content-Range", range)) == nil)
  }

  @Test(arguments: [
    ("Content-Length", "599"), ("Content-Length", "601"), ("Content-Length", "x"),
    ("Content-Encoding", "gzip"),
    ("content-encoding", "identity, br"),
  ])
  func aBodyThatIsNotThePartIsRefused(_ name: String, _ value: String) {
    for range in ["bytes 400-999/1000", "bytes 400-999/*"] {
      #expect(continuation(206, ("Content-Range", range), (name, value)) == nil)
    }
  }

  @Test func thePartSaysHowMuchMayFollow() {
    let fields = [
      ("Content-Range", "bytes 400-999/1000"), ("Content-Length", "600"), ("Content-Encoding", "Identity"),
    ]
    #expect(continuation(206, fields[0], fields[1], fields[2]) == .continued)
    let head = ResponseHead(status: 206, headers: [HeaderField("Content-Range", "bytes 400-999/*")])
    #expect(file.partLength(head) == 600)
    #expect(file.partLength(ResponseHead(status: 206, headers: [])) == nil)
  }

  @Test func aPartWithoutItsPlaceOrWithTwoIsRefused() {
    let (here, there) = (("Content-Range", "bytes 400-999/1000"), ("Content-Range", "bytes 0-999/1000"))
    #expect(continuation(206) == nil)
    #expect(continuation(206, here, there) == nil)
    #expect(continuation(206, ("Content-Type", "multipart/byteranges; boundary=x")) == nil)
  }

  @Test(arguments: [#""v2""#, #"W/"v1""#, ""])
  func aPartOfAnotherVersionIsRefused(tag: String) {
    #expect(continuation(206, ("Content-Range", "bytes 400-999/1000"), ("ETag", tag)) == nil)
  }

  @Test func aDateSaysNothingAboutTags() {
    let dated = PartialDownload(size: 400, validator: "Sat, 21 Nov 2026 12:00:00 GMT")
    let fields = (("Content-Range", "bytes 400-999/1000"), ("ETag", #""v2""#))
    #expect(continuation(206, fields.0, fields.1, of: dated) == .continued)
  }

  @Test func theWholeTakesThePlaceOfThePart() {
    #expect(continuation(200) == .restarted)
    #expect(continuation(200, of: PartialDownload(size: 0, validator: "")) == .restarted)
  }

  @Test func aFileAsLongAsTheEntityIsComplete() {
    #expect(continuation(416, ("Content-Range", "bytes */400")) == .complete)
    for range in ["bytes */401", "bytes */399", "bytes */*", "bytes */", "bytes 0-399/400"] {
      #expect(continuation(416, ("Content-Range", range)) == .discarded, "\(range)")
    }
    #expect(continuation(416) == .discarded)
    let length = ("Content-Range", "bytes */400")
    #expect(continuation(416, length, ("ETag", #""v1""#)) == .complete)
    // As long as what is there, and something else.
    #expect(continuation(416, length, ("ETag", #""v2""#)) == .discarded)
  }

  @Test func nothingIsSaidAboutAnEmptyFile() {
    let empty = PartialDownload(size: 0, validator: #""v1""#)
    #expect(continuation(416, ("Content-Range", "bytes */0"), of: empty) == .discarded)
    #expect(continuation(206, ("Content-Range", "bytes 0-9/10"), of: empty) == nil)
  }

  @Test(arguments: [201, 203, 204, 300, 304, 401, 403, 404, 412, 500, 503])
  func everyOtherStatusLeavesTheFileAlone(status: Int) {
    #expect(continuation(status, ("Content-Range", "bytes 400-999/1000")) == .discarded)
  }
}
