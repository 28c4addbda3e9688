package import WatchwordJSON
internal import WatchwordPrimitives
internal import WatchwordVocabulary

/// One entry of what a peer sent.
package enum Message: Sendable, Equatable {
  case request(Request)
  /// A request without an id: nothing is answered, not even an error.
  case notification(Request)
  /// A reply; peers never owe us one, so it is passed over.
  case response
  case invalid(RequestIdentifier, RPCError)

  package struct Request: Sendable, Equatable {
    package let identifier: RequestIdentifier
    package let method: String
    /// Nil when there are none.
    package let parameters: JSONObject?
    /// Whether parameters came by position. The message is sound; whether the peer is told that no method takes
    /// them depends on the method and on the id (JSON-RPC 2.0 §4.1).
    package let isPositional: Bool
    /// How many descriptors travel with this message.
    package let descriptors: Int
  }

  /// Descriptors that may travel with one message (protocol/README.md 3.2.2).
  package static let maximumDescriptors = 16
  /// Messages of one batch; the rest of the limits hold for each.
  package static let maximumBatch = 1024
}

extension Message {
  init(_ value: JSONValue) {
    guard case .object(let object) = value else {
      self = .invalid(.null, RPCError(.invalidRequest, "a message must be an object, not \(value.typeName)"))
      return
    }
    let members = MessageMembers(object)
    var identifier: RequestIdentifier?
    if let raw = members.identifier {
      guard let valid = RequestIdentifier(raw) else {
        self = .invalid(
          .null,
          RPCError(.invalidRequest, "id must be a string, an integer or null"))
        return
      }
      identifier = valid
    }
    do throws(RPCError) {
      self = try Message(members, identifier)
    } catch {
      self = .invalid(identifier ?? .null, error)
    }
  }

  private init(_ members: MessageMembers, _ identifier: RequestIdentifier?) throws(RPCError) {
    guard case .string("2.0") = members.version else {
      throw RPCError(.invalidRequest, "jsonrpc must be \"2.0\"")
    }
    let descriptors = try Message.descriptors(members.descriptors)
    guard let method = members.method else {
      guard identifier != nil, members.hasOutcome else {
        throw RPCError(.invalidRequest, "method is missing")
      }
      self = .response
      return
    }
    guard case .string(let name) = method else {
      throw RPCError(.invalidRequest, "method must be a string, not \(method.typeName)")
    }
    if let unknown = members.unknown {
      throw RPCError(.invalidRequest, "unknown member \(unknown.shortName) beside method")
    }
    let parameters = try Message.parameters(members.parameters)
    let request = Request(
      identifier: identifier ?? .null, method: name, parameters: parameters.byName,
      isPositional: parameters.isPositional, descriptors: descriptors)
    self = identifier == nil ? .notification(request) : .request(request)
  }

  private static func parameters(
    _ value: JSONValue?
  ) throws(RPCError) -> (byName: JSONObject?, isPositional: Bool) {
    switch value {
    case nil: return (nil, false)
    case .object(let object): return (object, false)
    case .array(let elements): return (nil, !elements.isEmpty)
    case .some(let other):
      throw RPCError(.invalidRequest, "params must be an object or an array, not \(other.typeName)")
    }
  }

  private static func descriptors(_ value: JSONValue?) throws(RPCError) -> Int {
    guard let value else { return 0 }
    guard case .integer(let count) = value, (0...Int64(maximumDescriptors)).contains(count) else {
      throw RPCError(.invalidRequest, "descriptors must be an integer from 0 to \(maximumDescriptors)")
    }
    return Int(count)
  }
}

/// The members of a message, found in one pass.
private struct MessageMembers {
  private(set) var version: JSONValue?
  private(set) var identifier: JSONValue?
  private(set) var method: JSONValue?
  private(set) var parameters: JSONValue?
  private(set) var descriptors: JSONValue?
  /// Whether there is a result or an error.
  private(set) var hasOutcome = false
  /// The first one that a request may not have.
  private(set) var unknown: JSONObject.Member?

  init(_ object: JSONObject) {
    for member in object.members {
      func isNamed(_ name: String) -> Bool { member.name.hasBytes(of: name) }
      if isNamed("jsonrpc") {
        version = member.value
      } else if isNamed("id") {
        identifier = member.value
      } else if isNamed("method") {
        method = member.value
      } else if isNamed("params") {
        parameters = member.value
      } else if isNamed("descriptors") {
        descriptors = member.value
      } else {
        if isNamed("result") || isNamed("error") { hasOutcome = true }
        unknown = unknown ?? member
      }
    }
  }
}
