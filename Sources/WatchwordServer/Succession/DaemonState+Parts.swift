internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordTransport
internal import WatchwordVault
internal import WatchwordVocabulary

/// The state as parts: first what the daemon has, then each session with what it keeps behind it, then the
/// results.
///
/// A part of a kind that a version does not know is passed over; a meaning that changes gets another kind.
extension DaemonState {
  typealias Clocks = CredentialRecord.Clocks

  func send(_ clocks: Clocks, by sending: inout StateSending) {
    sending.part("daemon", settingsKey ?? Secret([])) { writer in
      writer.key("lastTask")
      writer.integer(lastTask)
    }
    for lock in locks {
      sending.part("lock", lock.passphrase.derived.octets) { writer in
        writer.key("uid")
        writer.integer(lock.uid)
        writer.key("isLocked")
        writer.bool(lock.isLocked)
        writer.key("wrongAttempts")
        writer.integer(lock.wrongAttempts)
      }
    }
    for (uid, key) in vaultKeys {
      sending.part("vaultKey", key.octets) { writer in
        writer.key("uid")
        writer.integer(uid)
      }
    }
    for session in sessions { session.send(clocks, by: &sending) }
    for result in results { result.send(clocks, by: &sending) }
  }

  /// Takes one part over; false when it is not understood.
  mutating func adopt(_ part: StatePart, _ clocks: Clocks) -> Bool {
    switch part.kind {
    case "daemon":
      guard let lastTask: UInt64 = part.number("lastTask") else { return false }
      if !part.octets.isEmpty { settingsKey = part.octets }
      self.lastTask = lastTask
    case "lock":
      guard let uid = part.uid, let passphrase = DerivedKey(octets: part.octets).flatMap(LockPassphrase.init),
        let isLocked = part.flag("isLocked"), let wrongAttempts: Int = part.number("wrongAttempts")
      else { return false }
      locks.append(
        KeptLock(uid: uid, passphrase: passphrase, isLocked: isLocked, wrongAttempts: wrongAttempts))
    case "vaultKey":
      guard let uid = part.uid, let key = DerivedKey(octets: part.octets) else { return false }
      vaultKeys[uid] = key
    case "session":
      let session = KeptSession(part)
      isSessionKnown = session != nil
      guard let session else { return false }
      sessions.append(session)
    case "result":
      guard let result = KeptResult(part, clocks) else { return false }
      results.append(result)
    default:
      // What follows a session that is not understood is of no other one.
      guard isSessionKnown, !sessions.isEmpty else { return false }
      return sessions[sessions.count - 1].adopt(part, clocks)
    }
    return true
  }
}

extension DaemonState.KeptSession {
  fileprivate func send(_ clocks: CredentialRecord.Clocks, by sending: inout StateSending) {
    var settings = JSONWriter()
    settings.beginObject()
    settings.key("configuration")
    configuration.write(revealingSecretsTo: &settings)
    settings.endObject()
    sending.part("session", settings.buffer.withUnsafeBytes { Secret(copying: $0) }) { writer in
      writer.key("uid")
      writer.integer(uid)
      writer.key("name")
      writer.string(name)
    }
    for kept in contents.credentials { send(kept, clocks, by: &sending) }
    for entry in contents.trust {
      let subject = PermanentTrust.Subject(
        name: entry.subjectName, certificate: entry.certificate, publicKey: entry.publicKey)
      let decision = PermanentTrust.StoredDecision(
        number: entry.identifier, entry.decision, about: subject,
        created: Int64(clocks.wallTime(entry.record.created)))
      guard let record = TrustRecord.record(of: decision) else { continue }
      sending.part("trust", record) { CredentialRecord.write(entry.record, clocks, to: &$0) }
    }
    for (number, kept) in contents.identities.enumerated() {
      guard let key = keys[kept.identity.identifier]?.kept() else { continue }
      let entry = PermanentIdentities.StoredIdentity(
        number: UInt64(number), key, for: kept.origin, record: kept.record)
      sending.part("identity", IdentityRecord.record(of: entry, clocks))
    }
    for kept in contents.decisions { kept.send(by: &sending) }
    for cookie in cookies { cookie.send(by: &sending) }
  }

  private func send(
    _ kept: SessionContents.KeptCredential, _ clocks: CredentialRecord.Clocks, by sending: inout StateSending
  ) {
    func flags(_ writer: inout JSONWriter) {
      writer.key("wasGivenForSpace")
      writer.bool(kept.wasGivenForSpace)
      writer.key("isFromURL")
      writer.bool(kept.isFromURL)
    }
    if let record = CredentialRecord.record(of: kept.entry, clocks) {
      sending.part("credential", record, flags)
    } else if case .kerberos(let source) = kept.entry.credential.kind {
      let space = kept.entry.space.vaultOctets
      sending.part("tickets", source.octets) { writer in
        flags(&writer)
        writer.key("space")
        space.withUnsafeBytes { writer.base64($0) }
        writer.key("source")
        writer.string(source.word)
        if let name = source.name {
          writer.key("name")
          writer.string(name)
        }
        writer.key("isDefault")
        writer.bool(kept.entry.isDefault)
        CredentialRecord.write(kept.entry.record, clocks, to: &writer)
      }
    }
  }

  fileprivate init?(_ part: StatePart) {
    guard let uid = part.uid, let name = part["name"]?.text,
      let node = part.octets.withBytes({ try? JSONParser().parse($0) }),
      let parameters = try? SessionOpenParameters(node), let configuration = parameters.configuration
    else { return nil }
    self.init(uid: uid, name: name, configuration: configuration)
  }

  fileprivate mutating func adopt(_ part: StatePart, _ clocks: CredentialRecord.Clocks) -> Bool {
    switch part.kind {
    case "credential":
      guard let entry = part.record(.credential).flatMap({ CredentialRecord.entry(of: $0, clocks) }),
        let kept = part.credential(entry)
      else { return false }
      contents.credentials.append(kept)
    case "tickets":
      guard let kept = part.tickets(clocks).flatMap(part.credential) else { return false }
      contents.credentials.append(kept)
    case "trust":
      guard let kept = part.record(.trust).flatMap(TrustRecord.entry),
        let uses = part.read({ CredentialRecord.uses(in: $0, clocks) })
      else { return false }
      contents.trust.append(
        TrustStore.SessionDecision(
          identifier: kept.number, decision: kept.decision, subjectName: kept.subject.name,
          certificate: kept.subject.certificate, publicKey: kept.subject.publicKey, record: uses))
    case "identity":
      guard let record = part.record(.identity), let (entry, key) = try? IdentityRecords.read(record, clocks)
      else { return false }
      contents.identities.append(
        SessionContents.HeldIdentity(entry.identity, for: entry.origin, record: entry.record))
      keys[entry.identifier] = key
    case "decision":
      guard let decision = SessionContents.IdentityDecision(part) else { return false }
      contents.decisions.append(decision)
    case "cookie":
      guard let cookie = CookieStore.Kept(part) else { return false }
      cookies.append(cookie)
    default: return false
    }
    return true
  }
}

extension DaemonState.KeptResult {
  fileprivate func send(_ clocks: CredentialRecord.Clocks, by sending: inout StateSending) {
    sending.part("result", text) { writer in
      writer.key("uid")
      writer.integer(uid)
      writer.key("member")
      writer.string(member)
      writer.key("expires")
      writer.real(clocks.wallTime(expires))
      writer.key("description")
      description.write(to: &writer)
    }
  }

  fileprivate init?(_ part: StatePart, _ clocks: CredentialRecord.Clocks) {
    guard let uid = part.uid, let member = part["member"]?.text,
      let expires = part["expires"]?.number, let summary = part["description"],
      let object = try? ReadObject(reading: summary), let description = try? Sent.TaskSummary(object)
    else { return nil }
    self.init(
      uid: uid, description: description, member: member, text: part.octets,
      expires: clocks.now + (expires - clocks.wallClock))
  }
}

extension SessionContents.IdentityDecision {
  fileprivate func send(by sending: inout StateSending) {
    sending.part("decision", Secret(origin.vaultOctets)) { writer in
      writer.key("choice")
      switch decision.choice {
      case .identity: writer.string("identity")
      case .none: writer.string("none")
      case .default: writer.string("default")
      }
      if case .identity(let identifier) = decision.choice {
        writer.key("identity")
        writer.string(identifier)
      }
      writer.key("keyTypes")
      writer.beginArray()
      for type in decision.request.keyTypes.map(\.rawValue).sorted() { writer.string(type) }
      writer.endArray()
      writer.key("issuers")
      writer.beginArray()
      for issuer in decision.request.issuers {
        writer.beginArray()
        writer.string(issuer.text)
        writer.string(issuer.digest.pin)
        writer.endArray()
      }
      writer.endArray()
    }
  }

  fileprivate init?(_ part: StatePart) {
    guard let origin = part.octets.withBytes({ Origin(vaultOctets: Array($0)) }),
      let types = part["keyTypes"]?.array, let names = part["issuers"]?.array
    else { return nil }
    let keyTypes = types.compactMap { $0.text.flatMap(IdentityKeyType.init) }
    let issuers = names.compactMap { name -> DistinguishedName? in
      guard let name = name.array, name.count == 2, let text = name[0].text,
        let digest = name[1].text.flatMap(Fingerprint.init(pin:))
      else { return nil }
      return DistinguishedName(text: text, digest: digest)
    }
    guard keyTypes.count == types.count, issuers.count == names.count else { return nil }
    let choice: IdentityChoice
    switch (part["choice"]?.text, part["identity"]?.text) {
    case ("identity", let identifier?): choice = .identity(identifier)
    case ("none", nil): choice = .none
    case ("default", nil): choice = .default
    default: return nil
    }
    let request = CertificateRequest(issuers: issuers, keyTypes: Set(keyTypes))
    self.init(IdentityStore.Decision(request: request, choice: choice), for: origin)
  }
}

extension CookieStore.Kept {
  fileprivate func send(by sending: inout StateSending) {
    sending.part("cookie", Secret(value)) { writer in
      writer.key("domain")
      writer.string(domain)
      writer.key("name")
      name.withUnsafeBytes { writer.base64($0) }
      writer.key("includesSubdomains")
      writer.bool(includesSubdomains)
      writer.key("path")
      writer.string(path)
      if let expires {
        writer.key("expires")
        writer.integer(expires)
      }
      writer.key("isSecure")
      writer.bool(isSecure)
      writer.key("isHTTPOnly")
      writer.bool(isHTTPOnly)
    }
  }

  fileprivate init?(_ part: StatePart) {
    guard let domain = part["domain"]?.text, let name = part.octets(in: "name"),
      let path = part["path"]?.text, let includesSubdomains = part.flag("includesSubdomains"),
      let isSecure = part.flag("isSecure"), let isHTTPOnly = part.flag("isHTTPOnly")
    else { return nil }
    self.init(
      domain: domain, name: name, value: part.octets.withBytes { Array($0) },
      includesSubdomains: includesSubdomains, path: path, expires: part["expires"]?.integer,
      isSecure: isSecure, isHTTPOnly: isHTTPOnly)
  }
}

extension KerberosSource {
  fileprivate var word: String {
    switch self {
    case .defaultCache: "defaultCache"
    case .namedCache: "namedCache"
    case .cache: "cache"
    case .keytab: "keytab"
    case .namedKeytab: "namedKeytab"
    }
  }

  fileprivate var name: String? {
    switch self {
    case .namedCache(let name), .namedKeytab(let name), .keytab(_, principal: let name): name
    case .defaultCache, .cache: nil
    }
  }

  fileprivate var octets: Secret {
    switch self {
    case .cache(let octets), .keytab(let octets, principal: _): octets
    case .defaultCache, .namedCache, .namedKeytab: Secret([])
    }
  }

  fileprivate init?(_ word: String, _ name: String?, _ octets: Secret) {
    switch (word, name) {
    case ("defaultCache", nil): self = .defaultCache
    case ("namedCache", let name?): self = .namedCache(name)
    case ("cache", nil): self = .cache(octets)
    case ("keytab", let name?): self = .keytab(octets, principal: name)
    case ("namedKeytab", let name?): self = .namedKeytab(name)
    default: return nil
    }
  }
}

extension StateSending {
  /// A part that is a record of a vault, with further members.
  fileprivate mutating func part(
    _ kind: StaticString, _ record: VaultRecord, _ members: (inout JSONWriter) -> Void = { _ in }
  ) {
    part(kind, record.contents) { writer in
      writer.key("number")
      writer.integer(record.number)
      writer.key("space")
      record.space.withUnsafeBytes { writer.base64($0) }
      members(&writer)
    }
  }
}

extension StatePart {
  fileprivate var uid: UInt32? { number("uid") }

  fileprivate func number<Number: FixedWidthInteger>(_ name: String) -> Number? {
    self[name]?.integer.flatMap(Number.init(exactly:))
  }

  fileprivate func flag(_ name: String) -> Bool? { self[name]?.bool }

  fileprivate func octets(in name: String) -> [UInt8]? { self[name]?.text.flatMap(Base64.decode) }

  fileprivate func record(_ kind: VaultRecord.Kind) -> VaultRecord? {
    guard let number: UInt64 = number("number"), let space = octets(in: "space") else { return nil }
    return VaultRecord(number: number, kind: kind, space: space, contents: octets)
  }

  fileprivate func credential(_ entry: CachedCredential) -> SessionContents.KeptCredential? {
    guard let wasGivenForSpace = flag("wasGivenForSpace"), let isFromURL = flag("isFromURL") else {
      return nil
    }
    return SessionContents.KeptCredential(entry, wasGivenForSpace: wasGivenForSpace, isFromURL: isFromURL)
  }

  fileprivate func tickets(_ clocks: CredentialRecord.Clocks) -> CachedCredential? {
    guard let space = octets(in: "space").flatMap(ProtectionSpace.init(vaultOctets:)),
      let word = self["source"]?.text,
      let source = KerberosSource(word, self["name"]?.text, octets),
      let uses = read({ CredentialRecord.uses(in: $0, clocks) }), let isDefault = flag("isDefault")
    else { return nil }
    return CachedCredential(
      generation: 0, space: space,
      credential: Credential(.kerberos(source), persistence: .forSession, limits: uses.limits),
      isDefault: isDefault, record: uses, owner: nil, wasGivenForSpace: false)
  }
}
