package import WatchwordVocabulary

/// Checks whether a credential can be used with a method, before anything is sent.
///
/// An empty user name and an empty password are valid: some servers take a key in one of the two.
package enum CredentialCheck {
  /// Longest user name or password, in bytes: servers limit all header fields of a request together to 8–16
  /// KiB.
  package static let maximumPasswordBytes = 8192
  /// Longest token, in bytes: signed ones with many claims reach several KiB, and some servers take up to 64
  /// KiB.
  package static let maximumTokenBytes = 65536

  /// Longest user name or password of SOCKS, in bytes (RFC 1929 §2).
  package static let maximumSOCKSBytes = 255

  /// What is wrong with `credential` for `space`; nil when it can be tried.
  package static func fault(of credential: Credential, for space: ProtectionSpace) -> CredentialFault? {
    if let fault = fault(of: credential, for: space.authenticationMethod) { return fault }
    guard !credential.isPreemptive || space.takesPreemptive else { return .notPreemptive }
    guard credential.prefix.isEmpty || space.authenticationMethod == .key else { return .wrongKind }
    guard space.proxyType?.isSOCKS == true, case .password(let user, let password) = credential.kind else {
      return nil
    }
    return max(user.utf8.count, password.count) > maximumSOCKSBytes ? .tooLong : nil
  }

  /// The same for a method, wherever it is used.
  package static func fault(of credential: Credential, for method: AuthenticationMethod) -> CredentialFault? {
    switch (method, credential.kind) {
    case (.basic, .password(let user, let password)): fault(ofBasicUser: user, password: password)
    case (.digest, .password(let user, let password)), (.ntlm, .password(let user, let password)),
      (.negotiate, .password(let user, let password)), (.htmlForm, .password(let user, let password)):
      fault(ofUser: user, password: password) ?? (password.isUTF8 ? nil : .notUTF8)
    case (.bearer, .token(let token)), (.key, .token(let token)): fault(ofToken: token)
    case (.negotiate, .kerberos), (.serverTrust, .trust), (.clientCertificate, .identity): nil
    case (.basic, _), (.digest, _), (.ntlm, _), (.negotiate, _), (.htmlForm, _), (.bearer, _),
      (.serverTrust, _), (.clientCertificate, _), (.agentUnlock, _), (.key, _):
      .wrongKind
    }
  }

  /// The same for a reply to a question with these offers; nil is a reply without a credential, which a reply
  /// about a certificate chain cannot be. A server that states its charset takes no other octets (RFC 7617
  /// §2.1).
  static func fault(
    ofReply credential: Credential?, for space: ProtectionSpace, offers: [Offer]
  ) -> CredentialFault? {
    guard let credential else { return space.authenticationMethod == .serverTrust ? .wrongKind : nil }
    if let fault = fault(of: credential, for: space) { return fault }
    let offer = offers.first { $0.authenticationMethod == space.authenticationMethod }
    guard offer?.isUTF8 == true, case .password(_, let password) = credential.kind else { return nil }
    return password.isUTF8 ? nil : .notUTF8
  }

  static func fault(ofBasicUser user: String, password: Secret) -> CredentialFault? {
    if let fault = fault(ofUser: user, password: password) { return fault }
    return user.utf8.contains(UInt8(ascii: ":")) ? .colonInUser : nil
  }

  static func fault(ofUser user: String, password: Secret) -> CredentialFault? {
    if user.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) || password.containsControlCharacter {
      return .controlCharacter
    }
    let longest = max(user.utf8.count, password.count)
    return longest > maximumPasswordBytes ? .tooLong : nil
  }

  static func fault(ofToken token: Secret) -> CredentialFault? {
    if token.containsControlCharacter { return .controlCharacter }
    if token.count > maximumTokenBytes { return .tooLong }
    // Servers issue tokens that are no `b64token` (RFC 6750 §2.1). A space would begin another word of the
    // field.
    return token.withBytes { $0.isEmpty || $0.contains(UInt8(ascii: " ")) ? .malformedToken : nil }
  }
}

extension ProtectionSpace {
  /// Whether a credential can be given for it that goes with the first request: the other methods need a
  /// challenge, and every proxy that wants a credential asks for it.
  fileprivate var takesPreemptive: Bool {
    switch authenticationMethod {
    case .basic, .bearer, .key: proxyType == nil
    case .digest, .negotiate, .ntlm, .htmlForm, .serverTrust, .clientCertificate, .agentUnlock: false
    }
  }
}

extension CredentialFault: Error {}
