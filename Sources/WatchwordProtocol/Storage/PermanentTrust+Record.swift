package import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
package import WatchwordSecret
internal import WatchwordVocabulary

/// A permanent trust decision as the contents of a record of the vault.
extension PermanentTrust.Entry {
  package var contents: Secret {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.buffer.withUnsafeBytes { Secret(copying: $0) }
  }

  /// Nil for contents that this version does not understand.
  package init?(contents: Secret) {
    let entry = PermanentTrust.object(in: contents) { reader throws(RPCError) in
      try PermanentTrust.Entry(&reader)
    }
    guard let entry else { return nil }
    self = entry
  }
}

extension PermanentTrust {
  /// What the vault keeps beside the decisions: the last number that was given.
  package struct Ledger: Sendable, Equatable {
    package let lastNumber: UInt64

    package init(lastNumber: UInt64) { self.lastNumber = lastNumber }

    package var contents: Secret {
      var writer = JSONWriter()
      writer.beginObject()
      writer.key("lastNumber")
      writer.integer(lastNumber)
      writer.endObject()
      return writer.buffer.withUnsafeBytes { Secret(copying: $0) }
    }

    /// Nil for contents that this version does not understand.
    package init?(contents: Secret) {
      let ledger = PermanentTrust.object(in: contents) { reader throws(RPCError) in
        Ledger(lastNumber: UInt64(try reader.required("lastNumber").integer(in: 0...Int.max)))
      }
      guard let ledger else { return nil }
      self = ledger
    }
  }

  /// Faults that one decision excuses: all reasons, for each certificate of a long chain.
  private static let maximumExcused = 256

  /// Reads faults in the form of ``TrustFault/sent``.
  fileprivate static func excused(
    _ reader: inout ParameterReader, _ name: String
  ) throws(RPCError) -> Set<TrustFault> {
    let faults = try reader.required(name).array(maximum: maximumExcused) { element throws(RPCError) in
      try element.object { reader throws(RPCError) in
        let reason = try reader.required("reason").enumeration(TrustReason.self)
        // No decision can excuse a violation of the administrator's rules.
        guard reason != .policy else { throw reader.fault("reason", "cannot be excused") }
        let depth = try reader.required("depth").integer(in: 0...Int(Int32.max))
        return TrustFault(reason: reason, depth: depth)
      }
    }
    return Set(faults)
  }

  fileprivate static func object<Value>(
    in contents: Secret, _ read: (inout ParameterReader) throws(RPCError) -> Value
  ) -> Value? {
    guard let object = contents.withBytes({ try? JSONParser().node($0) }), object.kind == .object else {
      return nil
    }
    return try? ParameterReader.decode(object, path: "record", read)
  }
}

extension PermanentTrust.Entry {
  fileprivate init(_ reader: inout ParameterReader) throws(RPCError) {
    guard let number = PermanentTrust.number(named: try reader.required("trust").string(maximumBytes: 64))
    else {
      throw reader.fault("trust", "is no id")
    }
    let scheme = try reader.required("protocol").enumeration(WebScheme.self)
    let host = try reader.required("host").string(maximumBytes: 1024)
    let port = try reader.required("port").integer(in: 0...65_535)
    let subject = PermanentTrust.Subject(
      name: try reader.required("subject").string(), certificate: try reader.required("sha256").fingerprint(),
      publicKey: try reader.required("publicKey").fingerprint())
    let scope: TrustDecision.Subject =
      switch try reader.required("scope").enumeration(TrustScope.self) {
      case .certificate: .certificate(try reader.required("chain").fingerprint())
      case .publicKey: .publicKey(subject.publicKey)
      }
    let decision = TrustDecision(
      origin: Origin(scheme: scheme, host: host, port: UInt16(port)), subject: scope,
      excused: try PermanentTrust.excused(&reader, "excused"))
    guard let created = Timestamp.seconds(try reader.required("created").string(maximumBytes: 64)) else {
      throw reader.fault("created", "must be a UTC time such as 2026-11-21T12:05:00Z")
    }
    self.init(number: number, decision, about: subject, created: Int64(created))
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("trust", name)
    writer.member("protocol", decision.origin.scheme.rawValue)
    writer.member("host", decision.origin.host)
    writer.member("port", Int(decision.origin.port))
    writer.member("subject", subject.name)
    writer.member("sha256", subject.certificate.pin)
    writer.member("publicKey", subject.publicKey.pin)
    switch decision.subject {
    case .certificate(let chain):
      writer.member("scope", TrustScope.certificate.rawValue)
      writer.member("chain", chain.pin)
    case .publicKey:
      writer.member("scope", TrustScope.publicKey.rawValue)
    }
    writer.member("excused", decision.excused.inOrder.map(\.sent))
    writer.member("created", Timestamp.text(Double(created)))
    writer.endObject()
  }
}

extension Set<TrustFault> {
  /// By depth, then by name.
  var inOrder: [TrustFault] { sorted { ($0.depth, $0.reason.rawValue) < ($1.depth, $1.reason.rawValue) } }
}
