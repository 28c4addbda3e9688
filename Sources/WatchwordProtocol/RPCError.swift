package import WatchwordJSON
internal import WatchwordMessages
package import WatchwordVocabulary

/// An error as it goes over the wire: a kind, a sentence, and typed details.
///
/// No field can hold a secret: texts are made from fixed words, paths and bounds.
package struct RPCError: Error, Sendable, Equatable {
  package let kind: ErrorKind
  /// What was wrong and where, for a person; lower case, no full stop.
  package let message: String
  /// Members of `data` beside `kind` and `retry`.
  package let details: JSONObject

  package init(_ kind: ErrorKind, _ message: String, details: JSONObject = [:]) {
    self.kind = kind
    self.message = message
    self.details = details
  }

  package static func invalidParams(_ path: String, _ message: String) -> RPCError {
    RPCError(.invalidParams, "\(path): \(message)", details: ["path": .string(path)])
  }

  /// Which parameter is wrong; nil for other errors.
  package var place: String? {
    guard case .string(let path) = details["path"] else { return nil }
    return path
  }

  /// `error` of a reply.
  package var sent: JSONValue {
    let told: JSONObject = ["kind": .string(kind.rawValue), "retry": .string(kind.retry.rawValue)]
    return .object([
      "code": .integer(Int64(kind.code)), "message": .string(message),
      "data": .object(JSONObject(told.members + details.members)),
    ])
  }

  package func write(to writer: inout JSONWriter) { writer.value(sent) }
}
