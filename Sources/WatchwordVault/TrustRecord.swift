package import WatchwordCore
internal import WatchwordJSON
internal import WatchwordVocabulary

/// Permanent trust decisions as records: one for each decision, and one, the ledger, for the last number that
/// was given.
package enum TrustRecord {
  private static let ledger = VaultRecord.Kind.trust.numbers.lowerBound
  /// Faults that one decision excuses: all reasons, for each certificate of a long chain.
  private static let maximumExcused = 256
  private static let maximumHostBytes = 1024

  /// - Returns: Nil when a decision cannot be written down, for example because of a name without end.
  package static func records(
    of difference: PermanentTrust.Difference, in trust: PermanentTrust
  ) -> [VaultRecord]? {
    var records: [VaultRecord] = []
    for entry in difference.written {
      guard let record = record(of: entry) else { return nil }
      records.append(record)
    }
    return difference.isLedgerNew ? records + [ledger(after: trust.lastNumber)] : records
  }

  package static func record(of entry: PermanentTrust.StoredDecision) -> VaultRecord? {
    let record = VaultRecord(
      number: number(of: entry.number), kind: .trust, space: entry.decision.origin.vaultOctets,
      contents: contents { write(entry, to: &$0) })
    return self.entry(of: record) == entry ? record : nil
  }

  /// The number of the record of a decision.
  package static func number(of decision: UInt64) -> UInt64 { ledger + decision }

  /// The decision of a record; nil for what this version does not understand, and for the ledger.
  package static func entry(of record: VaultRecord) -> PermanentTrust.StoredDecision? {
    guard let entry = object(in: record).flatMap(entry), record.space == entry.decision.origin.vaultOctets
    else { return nil }
    return entry
  }

  /// What the records of a vault are, and how many of them are not understood.
  package static func trust(in records: [VaultRecord]) -> (PermanentTrust, unreadable: Int) {
    var entries: [PermanentTrust.StoredDecision] = []
    var lastNumber: UInt64 = 0
    var unreadable = 0
    for record in records where record.kind == .trust {
      if record.number == ledger, let number = self.lastNumber(in: record) {
        lastNumber = number
      } else if let entry = entry(of: record), number(of: entry.number) == record.number {
        entries.append(entry)
      } else {
        unreadable += 1
      }
    }
    let last = max(lastNumber, entries.map(\.number).max() ?? 0)
    guard let trust = PermanentTrust(entries, lastNumber: last) else {
      return (PermanentTrust(), unreadable + entries.count)
    }
    return (trust, unreadable)
  }

  // MARK: The ledger

  static func ledger(after lastNumber: UInt64) -> VaultRecord {
    let contents = contents { writer in
      writer.key("lastNumber")
      writer.integer(lastNumber)
    }
    return VaultRecord(number: ledger, kind: .trust, space: [], contents: contents)
  }

  static func lastNumber(in record: VaultRecord) -> UInt64? {
    guard let object = object(in: record), object.count == 1, let number = object["lastNumber"]?.integer
    else { return nil }
    return UInt64(exactly: number)
  }

  // MARK: A decision

  private static func write(_ entry: PermanentTrust.StoredDecision, to writer: inout JSONWriter) {
    let decision = entry.decision
    writer.text("trust", entry.name)
    writer.text("protocol", decision.origin.scheme.rawValue)
    writer.text("host", decision.origin.host)
    writer.key("port")
    writer.integer(Int(decision.origin.port))
    writer.text("subject", entry.subject.name)
    writer.text("sha256", entry.subject.certificate.pin)
    writer.text("publicKey", entry.subject.publicKey.pin)
    switch decision.subject {
    case .certificate(let chain):
      writer.text("scope", TrustScope.certificate.rawValue)
      writer.text("chain", chain.pin)
    case .publicKey:
      writer.text("scope", TrustScope.publicKey.rawValue)
    }
    writer.key("excused")
    writer.beginArray()
    for fault in decision.excused.inOrder {
      writer.beginObject()
      writer.text("reason", fault.reason.rawValue)
      writer.key("depth")
      writer.integer(fault.depth)
      writer.endObject()
    }
    writer.endArray()
    writer.text("created", Timestamp.text(Double(entry.created)))
  }

  private static func entry(_ object: JSONNode) -> PermanentTrust.StoredDecision? {
    guard let number = object["trust"]?.text.flatMap(PermanentTrust.number),
      let origin = origin(object), let name = object["subject"]?.text,
      let certificate = object["sha256"]?.fingerprint, let publicKey = object["publicKey"]?.fingerprint,
      let scope = object["scope"]?.text.flatMap(TrustScope.init), let excused = excused(object["excused"]),
      let created = object["created"]?.text.flatMap(Timestamp.seconds)
    else { return nil }
    let subject: TrustDecision.Subject
    switch scope {
    case .publicKey: subject = .publicKey(publicKey)
    case .certificate:
      guard let chain = object["chain"]?.fingerprint else { return nil }
      subject = .certificate(chain)
    }
    // Another member may be a condition of a later version.
    guard object.count == (scope == .certificate ? 11 : 10) else { return nil }
    return PermanentTrust.StoredDecision(
      number: number, TrustDecision(origin: origin, subject: subject, excused: excused),
      about: PermanentTrust.Subject(name: name, certificate: certificate, publicKey: publicKey),
      created: Int64(created))
  }

  private static func origin(_ object: JSONNode) -> Origin? {
    guard let scheme = object["protocol"]?.text.flatMap(WebScheme.init),
      let host = object["host"]?.text, host.utf8.count <= maximumHostBytes,
      let port = object["port"]?.integer.flatMap(UInt16.init(exactly:))
    else { return nil }
    return Origin(scheme: scheme, host: host, port: port)
  }

  private static func excused(_ value: JSONNode?) -> Set<TrustFault>? {
    guard let faults = value?.array, faults.count <= maximumExcused else { return nil }
    var excused: Set<TrustFault> = []
    for object in faults {
      guard object.count == 2, let reason = object["reason"]?.text.flatMap(TrustReason.init),
        // No decision can excuse a violation of the administrator's rules.
        reason != .policy, let depth = object["depth"]?.integer.flatMap(Int32.init(exactly:)), depth >= 0
      else { return nil }
      excused.insert(TrustFault(reason: reason, depth: Int(depth)))
    }
    return excused
  }

  // MARK: JSON

  private static func contents(_ write: (inout JSONWriter) -> Void) -> Secret {
    var writer = JSONWriter()
    writer.beginObject()
    write(&writer)
    writer.endObject()
    return writer.buffer.withUnsafeBytes { Secret(copying: $0) }
  }

  private static func object(in record: VaultRecord) -> JSONNode? {
    CredentialRecord.object(in: record.contents)
  }
}

extension JSONWriter {
  fileprivate mutating func text(_ name: StaticString, _ value: String) {
    key(name)
    string(value)
  }
}

extension JSONNode {
  fileprivate var fingerprint: Fingerprint? { text.flatMap { Fingerprint(pin: $0) } }
}
