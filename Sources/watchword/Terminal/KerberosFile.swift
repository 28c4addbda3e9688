internal import WatchwordClient
internal import WatchwordJSON

/// A keytab or a credential cache that the daemon reads by descriptor; its bytes are never in this process.
final class KerberosFile {
  private let file: Descriptor
  /// The principal that logs in with the keytab; nil: the file is a cache.
  private let principal: String?

  init(_ file: consuming Descriptor, principal: String?) {
    self.file = file
    self.principal = principal
  }

  /// What goes with the message: the first descriptor.
  var descriptors: [Int32] { [file.number] }

  /// Writes the member `credential` of `challenge/reply` and `credential/set`.
  func write(to writer: inout JSONWriter, persistence: String?) {
    writer.beginObject()
    writer.key("kerberos")
    writer.beginObject()
    writer.key(principal == nil ? "cache" : "keytab")
    writer.beginObject()
    writer.key("descriptor")
    writer.integer(0)
    writer.endObject()
    if let principal {
      writer.key("principal")
      writer.string(principal)
    }
    writer.endObject()
    if let persistence {
      writer.key("persistence")
      writer.string(persistence)
    }
    writer.endObject()
  }
}
