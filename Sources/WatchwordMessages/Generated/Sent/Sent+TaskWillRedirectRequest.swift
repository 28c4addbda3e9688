package import WatchwordJSON
package import WatchwordVocabulary

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// `TaskWillRedirectRequest` of the contract.
  package struct TaskWillRedirectRequest: SentObject {
    package let url: String
    package let method: String
    package let headers: [HeaderField]

    package init(url: String, method: String, headers: [HeaderField]) {
      self.url = url
      self.method = method
      self.headers = headers
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("url", url)
      writer.member("method", method)
      writer.member("headers", headers)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      url = try object.member("url")
      method = try object.member("method")
      headers = try object.member("headers")
    }
  }
}
