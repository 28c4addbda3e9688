package import WatchwordCore
package import WatchwordJSON
internal import WatchwordVocabulary

/// A permanent credential as a record. Times are kept as wall-clock time: monotonic time ends with the host.
package enum CredentialRecord {
  /// The two clocks at one moment.
  package struct Clocks: Sendable {
    /// Monotonic seconds.
    package let now: Double
    /// Seconds since 1970.
    package let wallClock: Double

    package init(now: Double, wallClock: Double) {
      self.now = now
      self.wallClock = wallClock
    }

    package func wallTime(_ moment: Double) -> Double { wallClock - (now - moment) }
    /// A clock that was set back does not make an entry older than it is, nor give it a future.
    package func moment(_ wallTime: Double) -> Double { now - max(0, wallClock - wallTime) }
  }

  /// Of uses: what counts on never overflows.
  static let maximumCount: Int64 = 1 << 48

  /// Nil for a kind that is not kept.
  package static func record(of entry: CachedCredential, _ clocks: Clocks) -> VaultRecord? {
    var writer = JSONWriter()
    writer.beginObject()
    guard write(entry, clocks, to: &writer) else { return nil }
    if let lastUsed = entry.record.lastUsed {
      writer.key("lastUsed")
      writer.real(clocks.wallTime(lastUsed))
    }
    writer.key("uses")
    writer.integer(entry.record.uses)
    if let mark = entry.synchronization {
      writer.key("synchronization")
      writer.beginObject()
      writer.key("version")
      writer.integer(mark.version)
      writer.key("pending")
      writer.string(mark.pending.rawValue)
      writer.endObject()
    }
    writer.endObject()
    let contents = writer.buffer.withUnsafeBytes { Secret(copying: $0) }
    return VaultRecord(
      number: entry.generation, kind: .credential, space: entry.space.vaultOctets, contents: contents)
  }

  /// The members that hosts of a fleet have in common; false for a kind that is not kept.
  static func write(
    _ entry: CachedCredential, _ clocks: Clocks, to writer: inout JSONWriter
  ) -> Bool {
    switch entry.credential.kind {
    case .password(let user, let password):
      writer.key("user")
      writer.string(user)
      writer.key("password")
      password.withBytes { writer.base64($0) }
    case .token(let token):
      writer.key("token")
      token.withBytes { writer.base64($0) }
    case .trust, .identity, .kerberos: return false
    }
    writer.key("isDefault")
    writer.bool(entry.isDefault)
    if entry.credential.isReadable {
      writer.key("readable")
      writer.bool(true)
    }
    if entry.credential.isPreemptive {
      writer.key("preemptive")
      writer.bool(true)
    }
    if !entry.credential.prefix.isEmpty {
      writer.key("prefix")
      writer.string(entry.credential.prefix)
    }
    writer.key("created")
    writer.real(clocks.wallTime(entry.record.created))
    if let identifier = entry.record.identifier {
      writer.key("identifier")
      writer.string(identifier.text)
    }
    write(entry.record.ways, to: &writer)
    writer.key("limits")
    write(entry.credential.limits, to: &writer)
    return true
  }

  static func write(_ ways: GivenWays, to writer: inout JSONWriter) {
    guard !ways.all.isEmpty else { return }
    writer.key("ways")
    writer.beginArray()
    for way in ways.all { writer.string(way.text) }
    writer.endArray()
  }

  /// Nil for contents that this version does not understand.
  package static func entry(of record: VaultRecord, _ clocks: Clocks) -> CachedCredential? {
    guard let space = ProtectionSpace(vaultOctets: record.space),
      let object = object(in: record.contents),
      let mark = mark(in: object),
      let (credential, created) = credential(
        in: object, clocks, persistence: mark.value == nil ? .permanent : .synchronizable),
      let ways = GivenWays(object["ways"]),
      let uses = object["uses"]?.integer, (0...maximumCount).contains(uses),
      let isDefault = object["isDefault"]?.bool
    else { return nil }
    let use = UseRecord(
      limits: credential.limits, created: created,
      lastUsed: object["lastUsed"]?.number.map(clocks.moment), uses: Int(uses), ways: ways,
      identifier: mark.identifier)
    var entry = CachedCredential(
      generation: record.number, space: space, credential: credential, isDefault: isDefault, record: use,
      owner: nil, wasGivenForSpace: false)
    entry.synchronization = mark.value
    return entry
  }

  /// Nil for what is no JSON object.
  static func object(in contents: Secret) -> JSONNode? {
    contents.withBytes { try? JSONParser().parse($0) }?.object
  }

  /// The credential and when it was given, in monotonic seconds.
  static func credential(
    in object: JSONNode, _ clocks: Clocks, persistence: Persistence
  ) -> (Credential, created: Double)? {
    guard let kind = kind(in: object), let limits = object["limits"].flatMap(CredentialLimits.init),
      let created = object["created"]?.number
    else { return nil }
    var credential = Credential(kind, persistence: persistence, limits: limits)
    credential.isReadable = object["readable"]?.bool ?? false
    credential.isPreemptive = object["preemptive"]?.bool ?? false
    if let member = object["prefix"] {
      guard let prefix = member.text, KeyField.isPrefix(prefix) else { return nil }
      credential.prefix = prefix
    }
    return (credential, clocks.moment(created))
  }

  /// Of the giving of a synchronizable one.
  static func identifier(in object: JSONNode) -> GivingIdentifier? {
    object["identifier"]?.text.flatMap(GivingIdentifier.init)
  }

  private struct Found {
    var value: SynchronizationMark?
    var identifier: GivingIdentifier?
  }

  /// Nil for a mark that this version does not understand.
  private static func mark(in object: JSONNode) -> Found? {
    guard let member = object["synchronization"] else { return Found() }
    guard let version = member["version"]?.integer,
      (0...SynchronizationMark.maximumVersion).contains(version), let text = member["pending"]?.text,
      let pending = SynchronizationMark.Pending(rawValue: text), let identifier = identifier(in: object)
    else { return nil }
    return Found(value: SynchronizationMark(version: version, pending: pending), identifier: identifier)
  }

  private static func kind(in object: JSONNode) -> Credential.Kind? {
    switch (object["user"], object["password"], object["token"]) {
    case (let user?, let password?, nil):
      user.text.flatMap { user in password.decoded.map { .password(user: user, password: $0) } }
    case (nil, nil, let token?): token.decoded.map { .token($0) }
    default: nil
    }
  }

  /// The uses of what has no record of its own.
  package static func write(_ record: UseRecord, _ clocks: Clocks, to writer: inout JSONWriter) {
    writer.key("created")
    writer.real(clocks.wallTime(record.created))
    if let lastUsed = record.lastUsed {
      writer.key("lastUsed")
      writer.real(clocks.wallTime(lastUsed))
    }
    writer.key("uses")
    writer.integer(record.uses)
    write(record.ways, to: &writer)
    writer.key("limits")
    write(record.limits, to: &writer)
  }

  /// Nil for what this version does not understand.
  package static func uses(in object: JSONNode, _ clocks: Clocks) -> UseRecord? {
    guard let limits = object["limits"].flatMap(CredentialLimits.init),
      let created = object["created"]?.number, let ways = GivenWays(object["ways"]),
      let uses = object["uses"]?.integer, (0...maximumCount).contains(uses)
    else { return nil }
    return UseRecord(
      limits: limits, created: clocks.moment(created),
      lastUsed: object["lastUsed"]?.number.map(clocks.moment), uses: Int(uses), ways: ways)
  }

  static func write(_ limits: CredentialLimits, to writer: inout JSONWriter) {
    writer.beginObject()
    if let seconds = limits.idleSeconds {
      writer.key("idleSeconds")
      writer.real(seconds)
    }
    if let seconds = limits.lifetimeSeconds {
      writer.key("lifetimeSeconds")
      writer.real(seconds)
    }
    if let time = limits.notAfter {
      writer.key("notAfter")
      writer.real(time)
    }
    if let uses = limits.maximumUses {
      writer.key("maximumUses")
      writer.integer(uses)
    }
    if limits.confirm {
      writer.key("confirm")
      writer.bool(true)
    }
    for (name, texts) in [("pathPrefixes", limits.pathPrefixes), ("methods", limits.methods)]
    where !texts.isEmpty {
      writer.key(escaping: name)
      writer.beginArray()
      for text in texts { writer.string(text) }
      writer.endArray()
    }
    writer.endObject()
  }
}

extension GivenWays {
  /// Nil for what is no list of ways; without a member, there are none.
  init?(_ member: JSONNode?) {
    guard let member else {
      self.init()
      return
    }
    guard let values = member.array else { return nil }
    let ways = values.compactMap { $0.text.flatMap(CallersWay.init) }
    guard ways.count == values.count, ways.count <= GivenWays.capacity else { return nil }
    self.init(ways)
  }
}

extension CredentialLimits {
  /// Nil for a limit that this version does not know: it cannot be kept, so that the credential is not used.
  init?(_ node: JSONNode) {
    guard node.kind == .object else { return nil }
    self.init()
    var isKnown = true
    node.forEachMember { name, value in
      isKnown = take(value, as: name.text)
      return isKnown
    }
    guard isKnown else { return nil }
  }

  private mutating func take(_ value: JSONNode, as name: String) -> Bool {
    switch name {
    case "idleSeconds":
      idleSeconds = value.number
      return idleSeconds != nil
    case "lifetimeSeconds":
      lifetimeSeconds = value.number
      return lifetimeSeconds != nil
    case "notAfter":
      notAfter = value.number
      return notAfter != nil
    case "maximumUses":
      guard let uses = value.integer, (1...CredentialRecord.maximumCount).contains(uses) else { return false }
      maximumUses = Int(uses)
    case "confirm":
      guard let confirms = value.bool else { return false }
      confirm = confirms
    case "pathPrefixes":
      pathPrefixes = Self.texts(value)
      return !pathPrefixes.isEmpty
    case "methods":
      methods = Self.texts(value)
      return !methods.isEmpty
    default: return false
    }
    return true
  }

  /// Empty unless all are texts: none would mean no limit.
  private static func texts(_ values: JSONNode) -> [String] {
    let texts = values.elements.compactMap(\.text)
    return texts.count < values.count ? [] : texts
  }
}

extension JSONNode {
  /// A secret in base64.
  var decoded: Secret? { secret.flatMap(Secret.decoded) }
}

extension ProtectionSpace {
  /// The space in one form only, since it is the associated data of a seal: scheme, host, port, method and
  /// proxy type, each ended by a zero octet, then `*` for any realm, `-` for none, or `=` and the octets of
  /// the realm.
  package var vaultOctets: [UInt8] {
    var octets: [UInt8] = []
    let texts = [
      origin.scheme.rawValue, origin.host, String(origin.port), authenticationMethod.rawValue,
      proxyType?.rawValue ?? "",
    ]
    for text in texts { octets += Array(text.utf8) + [0] }
    if isOfAnyRealm { return octets + [UInt8(ascii: "*")] }
    guard let realm else { return octets + [UInt8(ascii: "-")] }
    return octets + [UInt8(ascii: "=")] + realm.octets
  }

  package init?(vaultOctets octets: [UInt8]) {
    let parts = octets.split(separator: 0, maxSplits: 5, omittingEmptySubsequences: false)
    guard parts.count == 6, let mark = parts[5].first else { return nil }
    let texts = parts.prefix(5).map { String(decoding: $0, as: UTF8.self) }
    guard let scheme = WebScheme(rawValue: texts[0]), let port = UInt16(texts[2]),
      let method = AuthenticationMethod(rawValue: texts[3]), !method.isOfHandshake
    else { return nil }
    let proxyType = ProxyType(rawValue: texts[4])
    guard proxyType != nil || texts[4].isEmpty else { return nil }
    let origin = Origin(scheme: scheme, host: texts[1], port: port)
    switch mark {
    case UInt8(ascii: "*"):
      self.init(anyRealmOf: origin, authenticationMethod: method, proxyType: proxyType)
    case UInt8(ascii: "-"):
      self.init(origin: origin, realm: nil, authenticationMethod: method, proxyType: proxyType)
    case UInt8(ascii: "="):
      self.init(
        origin: origin, realm: OctetString(octets: parts[5].dropFirst()), authenticationMethod: method,
        proxyType: proxyType)
    default: return nil
    }
    guard vaultOctets == octets, method != .key || field.map(KeyField.isAllowed) == true else { return nil }
  }
}
