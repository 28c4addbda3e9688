import WatchwordJSON
import WatchwordMessages
import WatchwordProtocol
import WatchwordTestSupport
import WatchwordVocabulary

/// What a daemon without any method would answer: enough to tell who gets a reply, and with which error.
enum Answers {
  /// Nil when nothing is answered.
  static func reply(to text: String) -> JSONValue? {
    let value: JSONNode
    do throws(JSONError) {
      value = try node(text)
    } catch {
      let bytes = Array(text.utf8)
      return written(.null, RPCError.parseError(bytes.withUnsafeBytes { error.text(inMessage: $0) }))
    }
    switch Incoming(value) {
    case .single(let message): return answer(message)
    case .batch(let messages):
      let replies = messages.compactMap(answer)
      return replies.isEmpty ? nil : .array(replies)
    }
  }

  private static func answer(_ message: Message) -> JSONValue? {
    switch message {
    case .request(let request):
      written(request.identifier, RPCError.methodNotFound("no method \(request.method)"))
    case .notification, .ignored: nil
    case .invalid(let identifier, let error): written(identifier, error)
    }
  }

  private static func written(_ identifier: RequestIdentifier, _ error: RPCError) -> JSONValue? {
    var writer = JSONWriter()
    Envelope.error(to: &writer, identifier, error)
    return try? parse(writer.bytes)
  }

  /// What has to agree of two replies: the version, ids, and the codes of errors.
  static func shape(_ reply: JSONValue?) -> String {
    guard let reply else { return "nothing" }
    if case .array(let replies) = reply {
      return "[" + replies.map(shape).sorted().joined(separator: " ") + "]"
    }
    return "\(reply["jsonrpc"]?.text ?? "?") \(reply["id"].map { "\($0)" } ?? "?") "
      + "\(reply["error"]?["code"].map { "\($0)" } ?? "?")"
  }
}
