internal import WatchwordJSON
internal import WatchwordSecret

/// A command's reply to a challenge of another process.
enum ChallengeAnswer {
  case disposition(String)
  case credential(Questioner.Answer)
  case kerberos(KerberosFile)
  /// One of the administrator's sources, by name.
  case source(String)
  /// For a server's certificates; with the persistence of a choice on the terminal.
  case trust(String, String?)
  /// A client certificate of the session, by its id.
  case identity(String)
  /// A client certificate in a file, whose key may need a passphrase.
  case certificate(IdentityGiver)
  /// Neither certificate nor password.
  case none

  var size: Int {
    guard case .credential(let credential) = self else { return 0 }
    return credential.secret.count * 6
  }

  /// What goes with the message.
  var descriptors: [Int32] {
    guard case .kerberos(let file) = self else { return [] }
    return file.descriptors
  }

  func write(to writer: inout JSONWriter, persistence: String?) {
    if case .disposition(let disposition) = self { return writer.string(disposition) }
    writer.string("useCredential" as StaticString)
    writeCredential(to: &writer, persistence: persistence)
  }

  /// Writes the member `credential`, also of `credential/set`.
  func writeCredential(to writer: inout JSONWriter, persistence: String?) {
    writer.key("credential")
    switch self {
    case .disposition: break
    case .credential(let answer):
      answer.write(to: &writer, persistence: persistence)
    case .kerberos(let file): file.write(to: &writer, persistence: persistence)
    case .source(let name):
      writer.beginObject()
      writer.key("source")
      writer.string(name)
      if let persistence {
        writer.key("persistence")
        writer.string(persistence)
      }
      writer.endObject()
    case .trust(let scope, let chosen):
      TrustReply.write(scope, persistence ?? chosen, to: &writer)
    case .identity(let identifier):
      IdentityReply.write(persistence, to: &writer) { $0.string(identifier) }
    case .certificate(let giver):
      IdentityReply.write(persistence, to: &writer) {
        giver.file.write(to: &$0, passphrase: giver.passphrase)
      }
    case .none: writer.null()
    }
  }
}
