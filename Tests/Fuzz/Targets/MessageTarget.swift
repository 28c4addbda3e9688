internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol

/// The text of one frame: to a value and back to text, and to messages and each method's parameters.
enum MessageTarget {
  private static let plainParser = JSONParser()

  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    let node = try? JSONParser.ofMessages.node(input)
    let value = try? plainParser.parse(input)
    require((node == nil) == (value == nil), "a text is taken one way only")
    guard let node, let value else { return }
    require(rewritten(value) == value, "a value is not read back as it was written")
    switch Incoming(node) {
    case .single(let message): take(message)
    case .batch(let messages): for message in messages { take(message) }
    }
  }

  private static func rewritten(_ value: JSONValue) -> JSONValue? {
    try? plainParser.parse(written(value))
  }

  private static func written(_ value: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    writer.value(value)
    return writer.bytes
  }

  private static func take(_ message: Message) {
    switch message {
    case .request(let request), .notification(let request):
      for method in MethodName.allCases {
        do throws(RPCError) {
          _ = try method.parameters.init(request.parameters)
        } catch {
          reply(error, to: request.identifier)
        }
      }
    case .ignored: return
    case .invalid(let identifier, let error): reply(error, to: identifier)
    }
  }

  private static func reply(_ error: RPCError, to identifier: RequestIdentifier) {
    var writer = JSONWriter()
    Envelope.error(to: &writer, identifier, error)
    require((try? plainParser.parse(writer.bytes)) != nil, "an error reply is not JSON")
  }
}

extension JSONParser {
  fileprivate func parse(_ text: [UInt8]) throws(JSONError) -> JSONValue {
    var result: Result<JSONValue, JSONError> = .failure(.incomplete)
    text.withUnsafeBytes { bytes in
      do throws(JSONError) {
        result = .success(try parse(bytes))
      } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }
}
