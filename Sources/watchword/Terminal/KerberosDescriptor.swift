internal import WatchwordMessages
internal import WatchwordVocabulary

/// A keytab or a credential cache that the daemon reads by descriptor; its bytes are never in this process.
final class KerberosDescriptor {
  private let file: Descriptor
  /// The principal that logs in with the keytab; nil: the file is a cache.
  private let principal: String?

  init(_ file: consuming Descriptor, principal: String?) {
    self.file = file
    self.principal = principal
  }

  /// What goes with the message: the first descriptor.
  var descriptors: [Int32] { [file.number] }

  /// The credential of `challenge/reply` and `credential/set`.
  func credential(_ persistence: Persistence?) -> Request.Credential {
    let file = Request.FileContents(descriptor: 0)
    return Request.Credential(
      persistence: persistence,
      kerberos: principal == nil
        ? Request.CredentialKerberos(cache: .other(file))
        : Request.CredentialKerberos(keytab: .other(file), principal: principal))
  }
}
