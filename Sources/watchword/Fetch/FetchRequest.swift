internal import Glibc
internal import WatchwordClient
internal import WatchwordJSON

/// The request to the daemon for one fetch: the parameters of `fetch` and `task/start`.
final class FetchRequest {
  let url: String
  let method: String
  let headers: FetchHeaders
  /// The body, in the request itself or in a file beside it.
  private let content: FetchBody.Content
  private let timeouts: (resource: Double?, connect: Double?)
  private let decodes: Bool
  private let maximumBytes: Int?
  private let followsRedirects: Bool
  private let digest: String?
  private let proxy: FetchProxy

  init(_ fetch: FetchCommand) throws(Failure) {
    guard let given = fetch.url else {
      throw .usage("the URL is missing", hint: "watchword fetch [options] URL; see watchword help fetch")
    }
    try fetch.session.check(persistence: fetch.persistence)
    try fetch.proxy.check()
    proxy = fetch.proxy
    var url = try URLText.argument(given)
    if fetch.user != nil || fetch.session.methods.usesTickets { url = URLText.settingUser(nil, of: url) }
    let isQuery = fetch.isGet && !fetch.body.isUpload
    if let name = fetch.body.uploadName { url = URLText.addingName(name, to: url) }
    if isQuery, !fetch.body.isEmpty { url = URLText.addingQuery(try fetch.body.text(), to: url) }
    self.url = url

    guard fetch.digest == nil || !(fetch.resumes || fetch.isHead) else {
      throw .usage("--checksum goes neither with -C nor with -I: it is of a whole body")
    }
    let sendsBody = !isQuery && !fetch.body.isEmpty
    guard !sendsBody || !(fetch.isHead || fetch.method == "HEAD") else {
      throw .usage("a HEAD request has no body", hint: "-G puts the data into the URL")
    }
    method =
      fetch.method
      ?? (fetch.isHead ? "HEAD" : !sendsBody ? "GET" : fetch.body.isUpload ? "PUT" : "POST")
    var headers = fetch.headers
    if sendsBody, let type = fetch.body.contentType {
      if let boundary = fetch.body.boundary { headers.add("boundary=\(boundary)", toGiven: "content-type") }
      headers.setDefault("Content-Type", type)
      if type == "application/json" { headers.setDefault("Accept", type) }
    }
    self.headers = headers
    content = sendsBody ? try fetch.body.content() : FetchBody.Content()
    timeouts = (fetch.maxTime, fetch.connectTimeout)
    decodes = fetch.isCompressed
    maximumBytes = fetch.maximumBytes
    followsRedirects = fetch.session.followsRedirects
    digest = fetch.digest
  }

  /// The descriptors sent with the request: the body's, then the output's.
  func descriptors(output: Int32?) -> [Int32] {
    var numbers: [Int32] = []
    if let number = content.number { numbers.append(number) }
    if let output { numbers.append(output) }
    return numbers
  }

  /// Whether it can be sent again: a pipe gives its bytes once.
  var isReplayable: Bool {
    guard let number = content.number else { return true }
    var status = stat()
    return fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Bytes to reserve for the inline body.
  var size: Int { (content.bytes?.count ?? 0) * 2 }

  /// Writes the parameters; without `output` the body is discarded.
  func write(
    to writer: inout JSONWriter, session: String?, url: String, fields: [(name: String, value: String)],
    writesOutput: Bool
  ) {
    if let session {
      writer.key("session")
      writer.string(session)
    }
    writer.key("url")
    writer.string(url)
    writer.key("method")
    writer.string(method)
    let fields = headers.fields + fields
    if !fields.isEmpty {
      writer.key("headers")
      writer.beginArray()
      for (name, value) in fields {
        writer.beginArray()
        writer.string(name)
        writer.string(value)
        writer.endArray()
      }
      writer.endArray()
    }
    var index = 0
    writeBody(to: &writer, &index)
    writeTimeouts(to: &writer)
    if !decodes {
      writer.key("decodeContent")
      writer.bool(false)
    }
    if let maximumBytes {
      writer.key("maximumBodyBytes")
      writer.integer(Int64(maximumBytes))
    }
    if !followsRedirects {
      writer.key("followRedirects")
      writer.bool(false)
    }
    proxy.write(to: &writer)
    writer.key("output")
    guard writesOutput || digest != nil else { return writer.string("discard" as StaticString) }
    writer.beginObject()
    if writesOutput {
      writer.key("descriptor")
      writer.integer(index)
    } else {
      writer.key("mode")
      writer.string("discard" as StaticString)
    }
    if let digest {
      writer.key("digest")
      writer.string(digest)
    }
    writer.endObject()
  }

  private func writeBody(to writer: inout JSONWriter, _ index: inout Int) {
    guard content.bytes != nil || content.number != nil else { return }
    writer.key("body")
    writer.beginObject()
    if let bytes = content.bytes {
      if let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) {
        writer.key("text")
        writer.string(text)
      } else {
        writer.key("base64")
        bytes.withUnsafeBytes { writer.base64($0) }
      }
    } else {
      writer.key("descriptor")
      writer.integer(index)
      index += 1
    }
    writer.endObject()
  }

  private func writeTimeouts(to writer: inout JSONWriter) {
    guard timeouts.resource != nil || timeouts.connect != nil else { return }
    writer.key("timeouts")
    writer.beginObject()
    if let seconds = timeouts.connect {
      writer.key("connectSeconds")
      writer.real(seconds)
    }
    if let seconds = timeouts.resource {
      writer.key("resourceSeconds")
      writer.real(seconds)
    }
    writer.endObject()
  }
}
