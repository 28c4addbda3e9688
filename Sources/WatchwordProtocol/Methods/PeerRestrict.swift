internal import WatchwordCore
package import WatchwordJSON
internal import WatchwordVocabulary

/// `peer/restrict`: the connection gives up every right but to fetch by rules.
package enum PeerRestrict {
  /// A rule whose URL has not been taken apart.
  package struct Rule: Sendable, Equatable {
    package let methods: Set<String>?
    package let origin: String
    package let path: String
    package let requestBytes: Int64?
    package let responseBytes: Int64?
    package let perMinute: Double?
  }

  package struct Parameters: Sendable {
    package let session: String?
    package let rules: [Rule]
    package let expiresSeconds: Double?

    package init(_ object: JSONObject?) throws(RPCError) {
      self = try ParameterReader.decode(object) { reader throws(RPCError) in try Parameters(&reader) }
    }

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      session = try reader.optionalName("session")
      rules = try reader.restrictionRules("rules")
      expiresSeconds = try reader.optionalTimeout("expiresSeconds")
    }
  }

  /// What a command needs; each is compared for every request.
  package static let maximumRules = 256
  package static let maximumMethods = 64
  /// More requests than the daemon makes in a minute.
  package static let perMinute = 0.001...10_000_000

  package static func write(
    session: String, restriction: String, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.member("session", session)
    writer.member("restriction", restriction)
    writer.endObject()
  }
}

extension ParameterReader {
  /// At least one rule: a restriction that allows nothing is a closed connection.
  package mutating func restrictionRules(_ name: String) throws(RPCError) -> [PeerRestrict.Rule] {
    let rules = try optionalArray(name, maximum: PeerRestrict.maximumRules) { value, path throws(RPCError) in
      guard case .object(let object) = value else {
        throw .invalidParams(path, "must be an object, not \(value.typeName)")
      }
      return try ParameterReader.decode(object, path: path) { reader throws(RPCError) in
        try reader.restrictionRule()
      }
    }
    guard let rules, !rules.isEmpty else { throw fault(name, rules == nil ? "is missing" : "is empty") }
    return rules
  }

  private mutating func restrictionRule() throws(RPCError) -> PeerRestrict.Rule {
    PeerRestrict.Rule(
      methods: try restrictionMethods("methods"),
      origin: try string("origin", maximumBytes: 1024),
      path: try optionalString("path", maximumBytes: Fetch.maximumURLBytes) ?? "/*",
      requestBytes: try optionalInteger("requestBytes", in: 0...Int64.max),
      responseBytes: try optionalInteger("responseBytes", in: 0...Int64.max),
      perMinute: try optionalNumber("perMinute", in: PeerRestrict.perMinute))
  }

  private mutating func restrictionMethods(_ name: String) throws(RPCError) -> Set<String>? {
    guard let methods = try optionalStrings(name, maximum: PeerRestrict.maximumMethods) else { return nil }
    guard !methods.isEmpty else { throw fault(name, "is empty") }
    for (index, method) in methods.enumerated() {
      let path = "\(path(name))[\(index)]"
      guard FieldSyntax.isToken(method), method.utf8.count <= 32 else {
        throw .invalidParams(path, "is not an HTTP method")
      }
      guard method != RestrictionRule.forbiddenMethod, method != "CONNECT" else {
        throw .invalidParams(path, "no rule allows \(method)")
      }
    }
    return Set(methods)
  }
}
