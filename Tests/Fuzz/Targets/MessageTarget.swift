internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol

/// The text of one frame: to a value and back to text, and to messages and each method's parameters.
enum MessageTarget {
  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    guard let node = try? JSONParser().parse(input) else { return }
    let value = JSONValue(node)
    let written = JSONWriter.text { $0.value(node) }
    require(JSONWriter.text { $0.value(value) } == written, "a value is not written as it was read")
    require(parsed(written).map { JSONValue($0) } == value, "a value is not read back as it was written")
    switch Incoming(node) {
    case .single(let message): take(message)
    case .batch(let messages): for message in messages { take(message) }
    }
  }

  private static func parsed(_ text: [UInt8]) -> JSONNode? {
    text.withUnsafeBytes { try? JSONParser().parse($0) }
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
    require(parsed(writer.bytes) != nil, "an error reply is not JSON")
  }
}
