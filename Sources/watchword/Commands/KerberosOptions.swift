internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

/// The options that answer with Kerberos: a keytab, or a credential cache.
struct KerberosOptions {
  private var keytab: String?
  private var cache: String?

  static func options<Verb: Command>(
    _ kerberos: @escaping (inout Verb, (inout KerberosOptions) -> Void) -> Void
  ) -> [Option<Verb>] {
    [
      Option(
        nil, "keytab", "FILE", "for Kerberos: log in as the user of -u with this keytab", completion: .file
      ) { (verb, path) in kerberos(&verb) { $0.keytab = path } },
      Option(
        nil, "credential-cache", "FILE", "for Kerberos: use the tickets in this file", completion: .file
      ) { (verb, path) in kerberos(&verb) { $0.cache = path } },
    ]
  }

  /// How many answers the options give.
  var count: Int { (keytab == nil ? 0 : 1) + (cache == nil ? 0 : 1) }

  /// The opened file; nil without the options.
  func file(user: String?) throws(Failure) -> KerberosDescriptor? {
    guard let path = keytab ?? cache else { return nil }
    guard keytab == nil || cache == nil else {
      throw .usage("--keytab and --credential-cache exclude each other")
    }
    guard keytab == nil || user != nil else {
      throw .usage("--keytab needs a user", hint: "name the principal with --user")
    }
    guard cache == nil || user == nil else {
      throw .usage("--credential-cache goes without --user: the cache has one")
    }
    return KerberosDescriptor(try InputFile.open(path), principal: keytab == nil ? nil : user)
  }
}

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
