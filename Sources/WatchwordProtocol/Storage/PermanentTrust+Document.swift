package import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordSecret
internal import WatchwordVocabulary

/// The JSON document in which earlier versions kept an account's permanent trust decisions. It is read once, and its
/// decisions become records of the vault.
///
/// It names its version and its account, so that neither a document of a later daemon nor another account's is used.
extension PermanentTrust {
  package static let documentVersion: Int64 = 1
  /// A thousand decisions with names of a few hundred bytes; a larger file is not ours.
  package static let maximumDocumentBytes = 1024 * 1024
  /// Faults that one decision excuses: all reasons, for each certificate of a long chain.
  private static let maximumExcused = 256

  /// Why a document is refused, for a person.
  package struct DocumentFault: Error, Sendable {
    package let text: String
  }

  package init(document bytes: [UInt8], of uid: UInt32) throws(DocumentFault) {
    guard bytes.count <= PermanentTrust.maximumDocumentBytes else {
      throw DocumentFault(text: "larger than \(PermanentTrust.maximumDocumentBytes) bytes")
    }
    let parsed: Result<JSONNode, DocumentFault> = bytes.withUnsafeBytes { contents in
      Result { () throws(JSONError) in try JSONParser().node(contents) }
        .mapError { DocumentFault(text: $0.text(inFile: contents)) }
    }
    let object = try parsed.get()
    guard object.kind == .object else { throw DocumentFault(text: "not a JSON object") }
    // Checked first: additions of a later version are no faults of the document.
    if let version = object.member("version")?.value.integer, version > PermanentTrust.documentVersion {
      throw DocumentFault(text: "written by a newer version (\(version))")
    }
    do throws(RPCError) {
      self = try ParameterReader.decode(object, path: "document") { reader throws(RPCError) in
        try PermanentTrust(&reader, of: uid)
      }
    } catch {
      throw DocumentFault(text: error.message)
    }
  }

  private init(_ reader: inout ParameterReader, of uid: UInt32) throws(RPCError) {
    let version = Int(PermanentTrust.documentVersion)
    _ = try reader.required("version").integer(in: version...version)
    guard try reader["uid"]?.integer(in: 0...Int(UInt32.max)) == Int(uid) else {
      throw reader.fault("uid", "is another uid")
    }
    let lastNumber = try reader["lastNumber"]?.integer(in: 0...Int.max) ?? 0
    let entries = try reader["decisions"]?.array(maximum: PermanentTrust.capacity) {
      element throws(RPCError) in
      try element.object(Entry.init)
    }
    guard let kept = PermanentTrust(entries ?? [], lastNumber: UInt64(lastNumber)) else {
      throw reader.fault("decisions", "contradict each other")
    }
    self = kept
  }

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
}

extension PermanentTrust.Entry {
  init(_ reader: inout ParameterReader) throws(RPCError) {
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

  func write(to writer: inout JSONWriter) {
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
