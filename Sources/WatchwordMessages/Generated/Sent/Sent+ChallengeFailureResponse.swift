package import WatchwordJSON
package import WatchwordVocabulary

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// `ChallengeFailureResponse` of the contract.
  package struct ChallengeFailureResponse: SentObject {
    package let status: Int
    package let headers: [HeaderField]

    package init(status: Int, headers: [HeaderField]) {
      self.status = status
      self.headers = headers
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("status", status)
      writer.member("headers", headers)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      status = try object.member("status")
      headers = try object.member("headers")
    }
  }
}
