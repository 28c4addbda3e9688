package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// URLs without userinfo.
  package struct Redirect: SentObject {
    package let status: Int
    package let from: String
    package let to: String

    package init(status: Int, from: String, to: String) {
      self.status = status
      self.from = from
      self.to = to
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("status", status)
      writer.member("from", from)
      writer.member("to", to)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      status = try object.member("status")
      from = try object.member("from")
      to = try object.member("to")
    }
  }
}
