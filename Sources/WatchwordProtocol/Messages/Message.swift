package import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordVocabulary

/// One entry of what a peer sent.
package enum Message: Sendable {
  case request(Request)
  /// A request without an id: nothing is answered, not even an error.
  case notification(Request)
  /// A reply, which peers never owe us, or a notification with a fault, which is not answered either.
  case ignored
  case invalid(RequestIdentifier, RPCError)

  package struct Request: Sendable {
    package let identifier: RequestIdentifier
    package let method: CalledMethod
    /// Nil when there are none.
    package let parameters: JSONNode?
    /// Whether parameters came by position. The message is sound; whether the peer is told that no method
    /// takes them depends on the method and on the id (JSON-RPC 2.0 §4.1).
    package let isPositional: Bool
    /// How many descriptors travel with this message.
    package let descriptors: Int
  }

  /// Descriptors that may travel with one message (messages.md 3.2.2).
  package static let maximumDescriptors = 16
  /// Messages of one batch; the rest of the limits hold for each.
  package static let maximumBatch = 1024
}

extension Message {
  init(_ value: JSONNode) {
    guard value.kind == .object else {
      self = .invalid(.null, .invalidRequest("a message must be an object, not \(value.typeName)"))
      return
    }
    let members = MessageMembers(value)
    var identifier: RequestIdentifier?
    if let raw = members.identifier {
      guard let valid = RequestIdentifier(raw) else {
        self = .invalid(
          .null,
          RPCError.invalidRequest("id must be a string, an integer or null"))
        return
      }
      identifier = valid
    }
    do throws(RPCError) {
      self = try Message(members, identifier)
    } catch {
      self = members.isNotification ? .ignored : .invalid(identifier ?? .null, error)
    }
  }

  private init(_ members: MessageMembers, _ identifier: RequestIdentifier?) throws(RPCError) {
    guard members.isCurrentVersion else {
      throw .invalidRequest("jsonrpc must be \"2.0\"")
    }
    let descriptors = try Message.descriptors(members.descriptors)
    guard let method = members.method else {
      guard identifier != nil, members.hasOutcome else {
        throw .invalidRequest("method is missing")
      }
      self = .ignored
      return
    }
    guard let called = CalledMethod(method) else {
      throw .invalidRequest("method must be a string, not \(method.typeName)")
    }
    if let unknown = members.unknown {
      throw .invalidRequest("unknown member \(ParameterReader.shortened(unknown)) beside method")
    }
    let parameters = try Message.parameters(members.parameters)
    let request = Request(
      identifier: identifier ?? .null, method: called, parameters: parameters.byName,
      isPositional: parameters.isPositional, descriptors: descriptors)
    self = identifier == nil ? .notification(request) : .request(request)
  }

  private static func parameters(
    _ value: JSONNode?
  ) throws(RPCError) -> (byName: JSONNode?, isPositional: Bool) {
    guard let value else { return (nil, false) }
    switch value.kind {
    case .object: return (value, false)
    case .array: return (nil, value.count > 0)
    case .null, .bool, .integer, .real, .string:
      throw .invalidRequest("params must be an object or an array, not \(value.typeName)")
    }
  }

  private static func descriptors(_ value: JSONNode?) throws(RPCError) -> Int {
    guard let value else { return 0 }
    guard let count = value.integer, (0...Int64(maximumDescriptors)).contains(count) else {
      throw .invalidRequest("descriptors must be an integer from 0 to \(maximumDescriptors)")
    }
    return Int(count)
  }
}

/// The members of a message, found in one pass.
private struct MessageMembers {
  private(set) var isCurrentVersion = false
  private(set) var identifier: JSONNode?
  private(set) var method: JSONNode?
  private(set) var parameters: JSONNode?
  private(set) var descriptors: JSONNode?
  /// Whether there is a result or an error.
  private(set) var hasOutcome = false
  /// The name of the first one that a request may not have.
  private(set) var unknown: String?

  /// Whether enough is sound to tell that no answer is expected (JSON-RPC 2.0 §4.1).
  var isNotification: Bool { isCurrentVersion && identifier == nil && method?.text != nil }

  init(_ object: JSONNode) {
    object.forEachMember { name, value in
      if name == "jsonrpc" {
        isCurrentVersion = value.text == "2.0"
      } else if name == "id" {
        identifier = value
      } else if name == "method" {
        method = value
      } else if name == "params" {
        parameters = value
      } else if name == "descriptors" {
        descriptors = value
      } else {
        if name == "result" || name == "error" { hasOutcome = true }
        unknown = unknown ?? name.text
      }
      return true
    }
  }
}

/// Writes the JSON-RPC 2.0 frame of an outgoing message straight into a buffer.
package enum Envelope {
  package static func result(
    to writer: inout JSONWriter, _ identifier: RequestIdentifier, descriptors: Int = 0,
    _ body: (inout JSONWriter) -> Void
  ) {
    open(&writer, identifier)
    count(&writer, descriptors)
    writer.key("result")
    body(&writer)
    writer.endObject()
  }

  package static func error(to writer: inout JSONWriter, _ identifier: RequestIdentifier, _ error: RPCError) {
    open(&writer, identifier)
    writer.key("error")
    error.write(to: &writer)
    writer.endObject()
  }

  package static func notification(
    to writer: inout JSONWriter, _ method: String, descriptors: Int = 0,
    _ parameters: (inout JSONWriter) -> Void
  ) {
    open(&writer, nil)
    writer.key("method")
    writer.string(method)
    count(&writer, descriptors)
    writer.key("params")
    parameters(&writer)
    writer.endObject()
  }

  private static func open(_ writer: inout JSONWriter, _ identifier: RequestIdentifier?) {
    writer.beginObject()
    writer.key("jsonrpc")
    writer.string("2.0" as StaticString)
    if let identifier {
      writer.key("id")
      identifier.write(to: &writer)
    }
  }

  private static func count(_ writer: inout JSONWriter, _ descriptors: Int) {
    guard descriptors > 0 else { return }
    writer.key("descriptors")
    writer.integer(descriptors)
  }
}

/// The contents of one frame.
package enum Incoming: Sendable {
  case single(Message)
  /// Answered with an array of the replies, in any order.
  case batch([Message])

  /// Sorts a JSON value into messages; never fails as a whole.
  package init(_ value: JSONNode) {
    guard value.kind == .array else {
      self = .single(Message(value))
      return
    }
    let count = value.count
    guard count > 0 else {
      self = .single(.invalid(.null, .invalidRequest("empty batch")))
      return
    }
    guard count <= Message.maximumBatch else {
      self = .single(
        .invalid(
          .null,
          RPCError.limitExceeded("batch of more than \(Message.maximumBatch) messages", limit: "batch")))
      return
    }
    self = .batch(value.elements.map { Message($0) })
  }
}

extension FrameDecoder {
  /// What one frame holds, or why its text is none of JSON.
  package struct Contents {
    package let outcome: Result<Incoming, RPCError>
    /// Bytes of the text.
    package let size: Int
  }

  /// The next frame that has arrived whole; nil when there is none.
  package mutating func next() throws(FramingError) -> Contents? {
    guard let contents = try nextFrame({ Contents($0) }) else { return nil }
    if case .success = contents.outcome { endDoubt() }
    return contents
  }
}

extension FrameDecoder.Contents {
  fileprivate init(_ frame: UnsafeRawBufferPointer) {
    size = frame.count
    do throws(JSONError) {
      outcome = .success(Incoming(try JSONParser().parse(frame)))
    } catch {
      outcome = .failure(.parseError(error.text(inMessage: frame)))
    }
  }
}

/// What a request names as its method.
package enum CalledMethod: Sendable, Equatable {
  case known(MethodName)
  /// A name that no method has.
  case unknown(String)

  /// Nil for what is no text.
  package init?(_ value: JSONNode) {
    guard let count = value.textCount else { return nil }
    let candidates = count < CalledMethod.byLength.count ? CalledMethod.byLength[count] : []
    let method = value.withText { text in candidates.first { text.elementsEqual($0.name) }?.method } ?? nil
    self = method.map { .known($0) } ?? .unknown(value.text ?? "")
  }

  /// Nearly every name is told apart by its length alone, without a `String` of it.
  private static let byLength: [[(name: [UInt8], method: MethodName)]] = {
    let all = MethodName.allCases.map { (name: Array($0.rawValue.utf8), method: $0) }
    let longest = all.map(\.name.count).max() ?? 0
    return (0...longest).map { length in all.filter { $0.name.count == length } }
  }()
}
