internal import CLoaded
internal import WatchwordCore
internal import WatchwordVocabulary

/// What the tickets of a credential are made from, as the library takes it.
struct SecuritySource: Sendable {
  let method: AuthenticationMethod
  var user: String?
  /// Ends with NUL.
  var password: Secret?
  var cache: String?
  var keytab: String?
  var cacheContents: Secret?
  var keytabContents: Secret?
  let allowsNTLM: Bool

  /// Nil: the credential names what is not there, or is not for this account.
  init?(_ step: NegotiationStep, files: KerberosFiles, mayUseDefaultCache: Bool) {
    method = step.method
    allowsNTLM = step.policy.allowsNTLM
    switch step.credential {
    case .password(let user, let password):
      self.user = user
      self.password = Secret(joining: [password, Secret([0])])
    case .kerberos(.defaultCache):
      guard mayUseDefaultCache else { return nil }
    case .kerberos(.namedCache(let name)):
      guard let path = files.caches[name] else { return nil }
      cache = path
    case .kerberos(.cache(let contents)): cacheContents = contents
    case .kerberos(.keytab(let contents, let principal)):
      user = principal
      keytabContents = contents
    case .kerberos(.namedKeytab(let name)):
      guard let found = files.keytabs[name] else { return nil }
      user = found.principal
      keytab = found.path
    case .token, .trust, .identity: return nil
    }
  }

  func with<Result>(_ body: (UnsafePointer<security_source>) -> Result) -> Result {
    Self.text(user) { user in
      Self.text(cache) { cache in
        Self.text(keytab) { keytab in
          Self.bytes(password) { password in
            Self.bytes(cacheContents) { cacheContents in
              Self.bytes(keytabContents) { keytabContents in
                var source = security_source(
                  mechanism: method == .ntlm ? SECURITY_NTLM : SECURITY_NEGOTIATE, user: user,
                  password: password.bytes?.assumingMemoryBound(to: CChar.self), cache: cache, keytab: keytab,
                  cache_contents: cacheContents, keytab_contents: keytabContents, allows_ntlm: allowsNTLM)
                return body(&source)
              }
            }
          }
        }
      }
    }
  }

  private static func text<Result>(
    _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
  ) -> Result {
    guard let text else { return body(nil) }
    return text.withCString(body)
  }

  private static func bytes<Result>(_ secret: Secret?, _ body: (security_bytes) -> Result) -> Result {
    guard let secret else { return body(security_bytes(bytes: nil, count: 0)) }
    return secret.withBytes { body(security_bytes(bytes: $0.baseAddress, count: $0.count)) }
  }
}

/// A context of GSSAPI; used by one thread at a time.
// Unchecked: its task starts no step before the last one has ended.
final class SecurityContext: @unchecked Sendable {
  let pointer: OpaquePointer
  /// Which the context uses to its end.
  let credential: SecurityCredential

  init?(_ credential: SecurityCredential) {
    guard let pointer = security_context_make() else { return nil }
    self.pointer = pointer
    self.credential = credential
  }

  deinit { security_context_free(pointer) }
}

/// Tickets, or the user and password of NTLM, that several contexts share.
// Unchecked: the library locks it.
final class SecurityCredential: @unchecked Sendable {
  let pointer: OpaquePointer

  init?() {
    guard let pointer = security_credential_make() else { return nil }
    self.pointer = pointer
  }

  deinit { security_credential_free(pointer) }
}

/// The credential caches and keytabs that the administrator has named.
package struct KerberosFiles: Sendable, Equatable {
  package struct Keytab: Sendable, Equatable {
    package let path: String
    package let principal: String

    package init(path: String, principal: String) {
      self.path = path
      self.principal = principal
    }
  }

  package var caches: [String: String] = [:]
  package var keytabs: [String: Keytab] = [:]

  package init() {}
}
