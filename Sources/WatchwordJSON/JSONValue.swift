package import WatchwordSecret

/// A JSON text as a value. Members keep their order; numbers are integers of 64 bits or reals.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  /// A string member with a secret name; never a `String` on the way.
  case secret(Secret)
  case array([JSONValue])
  case object(JSONObject)

  /// The JSON name of its type, for error texts.
  package var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .integer, .real: "number"
    case .string, .secret: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
