package import WatchwordJSON
package import WatchwordVocabulary

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `explain`. Says what would happen for a URL; nothing is sent.
  package struct Explain: MethodRequest {
    package typealias Result = Sent.Explanation
    package static let method = "explain"

    package let session: String?
    package let url: String
    package let method: String?
    package let headers: [HeaderField]?
    package let proxies: TextOr<Request.Proxies>?

    package init(
      session: String? = nil, url: String, method: String? = nil, headers: [HeaderField]? = nil,
      proxies: TextOr<Request.Proxies>? = nil
    ) {
      self.session = session
      self.url = url
      self.method = method
      self.headers = headers
      self.proxies = proxies
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      writer.member("url", url)
      if let method { writer.member("method", method) }
      if let headers { writer.member("headers", headers) }
      if let proxies { writer.member("proxies", proxies) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.memberIfPresent("session")
      url = try object.member("url")
      method = try object.memberIfPresent("method")
      headers = try object.memberIfPresent("headers")
      proxies = try object.memberIfPresent("proxies")
    }
  }
}
