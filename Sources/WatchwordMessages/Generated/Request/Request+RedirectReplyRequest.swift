package import WatchwordJSON
package import WatchwordVocabulary

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// `RedirectReplyRequest` of the contract.
  package struct RedirectReplyRequest: SentObject {
    package let url: String?
    package let method: String?
    package let headers: [HeaderField]?

    package init(url: String? = nil, method: String? = nil, headers: [HeaderField]? = nil) {
      self.url = url
      self.method = method
      self.headers = headers
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let url { writer.member("url", url) }
      if let method { writer.member("method", method) }
      if let headers { writer.member("headers", headers) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      url = try object.memberIfPresent("url")
      method = try object.memberIfPresent("method")
      headers = try object.memberIfPresent("headers")
    }
  }
}
