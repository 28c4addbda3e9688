internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordPrimitives
package import WatchwordVocabulary

/// `tls.pins`: `[{"host": "*.example.com", "publicKeys": ["sha256/…"], "reportOnly": false}]`.
extension PinSet {
  /// More hosts than a session names, and more keys than a host rotates.
  private static let maximumRules = 256

  init?(_ reader: inout ParameterReader, _ name: String) throws(RPCError) {
    let rules = try reader.optionalArray(name, maximum: PinSet.maximumRules) {
      value, path throws(RPCError) -> PinSet.Rule in
      guard case .object(let object) = value else {
        throw .invalidParams(path, "must be an object, not \(value.typeName)")
      }
      return try ParameterReader.decode(object, path: path) { reader throws(RPCError) in
        PinSet.Rule(
          host: try reader.hostPattern("host"), publicKeys: try reader.publicKeys("publicKeys"),
          isReportOnly: try reader.optionalBool("reportOnly") ?? false)
      }
    }
    guard let rules else { return nil }
    self.init(rules)
  }

  var value: JSONValue {
    .array(
      rules.map { rule in
        .object([
          "host": .string(rule.host.text),
          "publicKeys": .array(rule.publicKeys.map { .string($0.pin) }),
          "reportOnly": .bool(rule.isReportOnly),
        ])
      })
  }
}

extension ParameterReader {
  /// A host, or `*.` and a name, for all hosts below that name.
  mutating func hostPattern(_ name: String) throws(RPCError) -> HostPattern {
    let text = try string(name, maximumBytes: 255)
    let isBelow = text.hasPrefix("*.")
    guard let host = HostRules.normalized(isBelow ? String(text.dropFirst(2)) : text),
      HostRules.isName(host) || (!isBelow && HostRules.isAddress(host))
    else {
      throw fault(name, "is not a host name or address, nor *. and a name")
    }
    return HostPattern(text: (isBelow ? "*." : "") + host)
  }

  /// At least one key in the form `sha256/` and base64 (RFC 7469 §2.1.1).
  package mutating func publicKeys(_ name: String) throws(RPCError) -> [Fingerprint] {
    guard let texts = try optionalStrings(name, maximum: 64) else { throw fault(name, "is missing") }
    guard !texts.isEmpty else { throw fault(name, "is empty") }
    var keys: [Fingerprint] = []
    for (index, text) in texts.enumerated() {
      guard let key = Fingerprint(pin: text) else {
        throw .invalidParams("\(path(name))[\(index)]", "must be sha256/ and the base64 of 32 bytes")
      }
      keys.append(key)
    }
    return keys
  }
}

extension Fingerprint {
  private static let pinPrefix = "sha256/"

  /// The form of pins: `sha256/` and base64 (RFC 7469 §2.1.1).
  package var pin: String {
    Fingerprint.pinPrefix + Base64.encode(bytes)
  }

  init?(pin: String) {
    guard pin.hasPrefix(Fingerprint.pinPrefix),
      let bytes = Base64.decode(String(pin.dropFirst(Fingerprint.pinPrefix.count)))
    else { return nil }
    self.init(bytes)
  }
}
