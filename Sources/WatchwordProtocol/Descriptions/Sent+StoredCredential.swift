package import WatchwordCore
package import WatchwordMessages
package import WatchwordVocabulary

/// A credential as `credential/list` shows it: never a secret.
extension Sent.StoredCredential {
  /// - Parameter source: `permanent` for a record of the account.
  package init(
    _ credential: CachedCredential, source: ProposedCredential.Source = .session, now: Double,
    wallClock: Double
  ) {
    let (kept, limits) = (credential.credential, credential.record.limits)
    let use = UseDescription(credential.record, now: now, wallClock: wallClock)
    let source = credential.permanentNumber == nil ? source : ProposedCredential.Source(ofRecord: credential)
    self.init(
      protectionSpace: credential.space.sentName, user: kept.user, kind: kept.kindName,
      persistence: kept.persistence.rawValue, isDefault: credential.isDefault,
      source: kept.source == nil ? source.rawValue : "named", sourceName: kept.source?.name,
      readable: kept.isReadable, preemptive: kept.isPreemptive,
      prefix: kept.prefix.isEmpty ? nil : kept.prefix, limits: limits.sent, uses: credential.record.uses,
      lastUsed: use.lastUsed, created: use.created, secondsLeft: use.secondsLeft)
  }
}

extension Credential {
  package var kindName: String {
    switch kind {
    case .password: "password"
    case .token: "token"
    case .kerberos: "kerberos"
    case .trust: "trust"
    case .identity: "identity"
    }
  }
}

extension ProtectionSpace {
  /// The members that tell it from others: what `credential/set` and `credential/remove` take.
  package var sentName: Sent.ProtectionSpaceName {
    Sent.ProtectionSpaceName(
      protocol: protocolName, host: origin.host, port: Int(origin.port),
      realm: hasRealm ? .some(realm?.text) : nil, realmBytes: hasRealm ? realm?.sentBytes : nil,
      authenticationMethod: authenticationMethod.rawValue, field: field, isProxy: isProxy,
      proxyType: proxyType?.rawValue)
  }

  private var hasRealm: Bool { !isOfAnyRealm && authenticationMethod != .key }

  /// All members of URLProtectionSpace, and the parameters of the offer, or in their place what a person
  /// needs.
  package func sent(_ offer: Offer? = nil, _ prompt: DevicePrompt? = nil) -> Sent.ProtectionSpace {
    Sent.ProtectionSpace(
      protocol: protocolName, host: origin.host, port: Int(origin.port), realm: realm?.text,
      realmBytes: realm?.sentBytes, authenticationMethod: authenticationMethod.rawValue, isProxy: isProxy,
      proxyType: proxyType?.rawValue, receivesCredentialSecurely: origin.isSecure,
      parameters: prompt?.sentParameters ?? offer?.sentParameters ?? [],
      distinguishedNames: certificateRequest?.issuers.map(\.text),
      keyTypes: certificateRequest.map { request in
        IdentityKeyType.allCases.filter(request.keyTypes.contains).map(\.rawValue)
      }, serverTrust: serverTrust?.sent)
  }
}

extension OctetString {
  /// The octets in base64, of what is not UTF-8: its text has replacements.
  var sentBytes: String? { isUTF8 ? nil : Base64.encode(octets) }
}

extension Offer {
  /// The first of several parameters with one name counts, as JSON allows one.
  var sentParameters: [(name: String, value: String)] {
    var names: Set<String> = []
    return parameters.compactMap { parameter in
      names.insert(parameter.name).inserted ? (parameter.name, parameter.value.text) : nil
    }
  }
}

extension DevicePrompt {
  /// In place of the server's parameters, whose names are in lower case: no server can write these.
  fileprivate var sentParameters: [(name: String, value: String)] {
    [("verificationUri", verificationURI), ("userCode", userCode)]
      + (completeURI.map { [("verificationUriComplete", $0)] } ?? [])
  }
}

/// A source whose credential the server has refused, in `explain` and `status`.
extension Sent.RefusedSource {
  package init(_ refusal: SourceBindings.Refusal, wallClock: Double) {
    // Rounded up: a second that is named has not begun too early.
    let readAfter = refusal.pause > 0 ? (wallClock + refusal.pause).rounded(.up) : nil
    self.init(
      source: refusal.source, protectionSpace: refusal.space.sentName,
      readAfter: readAfter.map(Timestamp.text))
  }
}
