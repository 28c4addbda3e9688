package import WatchwordCore
package import WatchwordJSON
package import WatchwordVocabulary

extension Fetch {
  /// The result of a finished task.
  package struct Reply {
    package enum Body {
      case bytes([UInt8])
      case descriptor(size: Int64)
      case size(Int64)
      case partial(size: Int64, PartialDownload.Continuation)
    }

    package struct Redirect {
      package let status: Int
      package let from: String
      package let to: String

      package init(status: Int, from: String, to: String) {
        self.status = status
        self.from = from
        self.to = to
      }
    }

    package let task: String
    package let session: String
    package let url: String
    package let status: Int
    package let headers: [HeaderField]
    package let body: Body
    /// Whether the body is only the beginning of the server's (challenges.md 4.6).
    package let isTruncated: Bool
    /// Whether it has the digests that the caller or the server expects of it.
    package let isVerified: Bool
    package let redirects: [Redirect]
    package let metrics: Metrics

    package init(
      task: String, session: String, url: String, status: Int, headers: [HeaderField], body: Body,
      isTruncated: Bool = false, isVerified: Bool = false, redirects: [Redirect], metrics: Metrics
    ) {
      self.task = task
      self.session = session
      self.url = url
      self.status = status
      self.headers = headers
      self.body = body
      self.isTruncated = isTruncated
      self.isVerified = isVerified
      self.redirects = redirects
      self.metrics = metrics
    }

    package func write(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.member("task", task)
      writer.member("session", session)
      writer.member("url", url)
      writer.member("status", status)
      writer.key("headers")
      writer.headers(headers)
      writer.key("body")
      writeBody(to: &writer)
      writer.key("redirects")
      writer.beginArray()
      for redirect in redirects {
        writer.beginObject()
        writer.member("status", redirect.status)
        writer.member("from", redirect.from)
        writer.member("to", redirect.to)
        writer.endObject()
      }
      writer.endArray()
      writer.key("metrics")
      metrics.write(to: &writer)
      writer.endObject()
    }

    /// As text if it is valid text, else base64.
    private func writeBody(to writer: inout JSONWriter) {
      writer.beginObject()
      switch body {
      case .bytes(let bytes):
        bytes.withUnsafeBytes { raw in
          if TextCheck.isText(raw) {
            writer.key("text")
            writer.stringBytes(raw)
          } else {
            writer.key("base64")
            writer.base64(raw)
          }
        }
      case .descriptor(let size):
        writer.member("descriptor", 0)
        writer.member("size", size)
      case .size(let size):
        writer.member("size", size)
      case .partial(let size, let continuation):
        writer.member("size", size)
        writer.member("continuation", continuation.rawValue)
      }
      if isTruncated { writer.member("truncated", true) }
      if isVerified { writer.member("verified", true) }
      writer.endObject()
    }
  }
}
