internal import WatchwordJSON
internal import WatchwordProtocol

/// The text of one frame: to a value, to messages, to each method's parameters, and back to text.
enum MessageTarget {
  private static let plainParser = JSONParser()

  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    // A value with secrets is not written as it was read: they are told apart by reading it without.
    guard let value = try? JSONParser.ofMessages.parse(input), let plain = try? plainParser.parse(input)
    else {
      return
    }
    require(rewritten(plain) == plain, "a value is not read back as it was written")
    let text = written(value)
    require(
      (try? JSONParser.ofMessages.parse(text)) != nil, "what is shown of a value with secrets is not JSON")
    switch Incoming(value) {
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
    case .response: return
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
