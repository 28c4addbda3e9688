package import WatchwordJSON
package import WatchwordMessages
package import WatchwordVocabulary

/// An error as it goes over the wire: a kind, a sentence, and typed details.
///
/// Each kind has a function of its name that takes its details (`Generated/RPCError+Kinds.swift`). No field
/// can hold a secret: texts are made from fixed words, paths and bounds.
package struct RPCError: Error, Sendable, Equatable {
  package let kind: ErrorKind
  /// What was wrong and where, for a person; lower case, no full stop.
  package let message: String
  /// Members of `data` beside `kind` and `retry`.
  package let details: JSONObject

  private init(kind: ErrorKind, message: String, details: JSONObject) {
    self.kind = kind
    self.message = message
    self.details = details
  }

  /// - Parameter details: those that are nil are left out.
  init(_ kind: ErrorKind, _ message: String, _ details: [(name: String, value: JSONValue?)] = []) {
    let members = details.compactMap { name, value in
      value.map { JSONObject.Member(name: name, value: $0) }
    }
    self.init(kind: kind, message: message, details: JSONObject(members))
  }

  package static func invalidParams(_ path: String, _ message: String) -> RPCError {
    .invalidParams("\(path): \(message)", path: path)
  }

  /// Which parameter is wrong; nil for other errors.
  package var place: String? {
    guard case .string(let path) = details["path"] else { return nil }
    return path
  }

  /// The same error with where it happened (messages.md 13.4), in place of any other hop.
  ///
  /// - Parameter saying: what it says instead.
  package func at(_ hop: Hop, _ url: String, proxy: String? = nil, saying text: String? = nil) -> RPCError {
    let place = RPCError(
      kind, message,
      [("hop", .string(hop.rawValue)), ("url", .string(url)), ("proxy", proxy.map(JSONValue.string))])
    let others = details.members.filter { place.details[$0.name] == nil }
    return RPCError(
      kind: kind, message: text ?? message, details: JSONObject(place.details.members + others))
  }

  /// `error` of a reply.
  package var sent: OpenValue {
    let told: JSONObject = ["kind": .string(kind.rawValue), "retry": .string(kind.retry.rawValue)]
    return .made(
      .object([
        "code": .integer(Int64(kind.code)), "message": .string(message),
        "data": .object(JSONObject(told.members + details.members)),
      ]))
  }

  package func write(to writer: inout JSONWriter) { sent.write(to: &writer) }
}

/// A detail of an error as a JSON value.
extension JSONValue {
  init(sent text: String) { self = .string(text) }
  init(sent number: Int) { self = .integer(Int64(number)) }
  init(sent number: Double) { self = .real(number) }
  init(sent flag: Bool) { self = .bool(flag) }
  init(sent texts: [String]) { self = .array(texts.map(JSONValue.string)) }
  init(sent fields: [HeaderField]) {
    self = .array(fields.map { .array([.string($0.name), .string($0.value)]) })
  }
  init(sent faults: [TrustFault]) {
    self = .array(
      faults.map {
        .object(["reason": .string($0.reason.rawValue), "depth": .integer(Int64($0.depth))])
      })
  }
}
