internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol

/// The messages of a client, made from their descriptions in the OpenRPC document as in `ParameterTarget`: what is read
/// is read again from what is written of it, and what the daemon takes a client can send.
///
/// The first byte chooses a method or a notification; beyond their number it stands for all of them.
enum ClientMessageTarget {
  private static let parser = JSONParser()

  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    var reader = InputReader(input)
    let choice = Int(reader.byte())
    let methods = MethodName.allCases
    let notifications = SchemaSampler.notificationNames
    let rest = UnsafeRawBufferPointer(rebasing: reader.rest)
    let isForAll = choice >= methods.count + notifications.count
    for (index, method) in methods.enumerated() where isForAll || index == choice {
      guard let request = method.request else { continue }
      takeParameters(rest, of: method, as: request)
      takeResult(rest, of: request)
    }
    for (index, name) in notifications.enumerated() where isForAll || methods.count + index == choice {
      takeNotification(rest, name)
    }
  }

  private static func takeParameters<Request: MethodRequest & SentObject>(
    _ input: UnsafeRawBufferPointer, of method: MethodName, as type: Request.Type
  ) {
    var sampler = SchemaSampler(input)
    let text = sampler.parameters(of: method.rawValue)
    guard let node = parsed(text), isLookedAt(node, by: method) else { return }
    let isTaken = isTakenByDaemon(text, method)
    guard let request = try? Request(reading: node) else {
      return require(!isTaken, "the daemon takes what a client cannot say")
    }
    let written = written(request)
    // The rest breaks a bound, which is the daemon's to see, or has a member that is in no description.
    guard isTaken else { return }
    require(isTakenByDaemon(written, method), "the daemon does not take what a client made of its request")
    require(
      parsed(written).map { plain(JSONValue($0)) } == plain(JSONValue(node)),
      "a member is lost on its way to the daemon")
  }

  /// Whether the daemon reads every member: not the credential beside another disposition than `useCredential`.
  private static func isLookedAt(_ node: JSONNode, by method: MethodName) -> Bool {
    guard method == .challengeReply, let object = node.object else { return true }
    return object["disposition"]?.text == "useCredential" || object["credential"] == nil
  }

  private static func takeResult<Request: MethodRequest>(
    _ input: UnsafeRawBufferPointer, of type: Request.Type
  ) {
    var sampler = SchemaSampler(input)
    guard let node = parsed(sampler.result(of: Request.method)) else { return }
    guard let result = try? Request.Result(reading: node) else { return }
    if let object = result as? any SentObject { takeRead(object, of: node) }
  }

  private static func takeNotification(_ input: UnsafeRawBufferPointer, _ name: String) {
    var sampler = SchemaSampler(input)
    guard let node = parsed(sampler.notification(name)) else { return }
    guard let notification = try? Notification(name, node) else { return }
    // A case's only value, which may be a case of another enumeration.
    var payload: Any = notification
    while !(payload is any SentObject), let inner = Mirror(reflecting: payload).children.first?.value {
      payload = inner
    }
    if let object = payload as? any SentObject { takeRead(object, of: node) }
  }

  private static func takeRead(_ object: some SentObject, of node: JSONNode) {
    guard let written = parsed(written(object)) else { return }
    require(holds(JSONValue(written), JSONValue(node)), "a member is lost on its way to the client")
  }

  /// The text, which reads back as the same.
  private static func written<Object: SentObject>(_ object: Object) -> [UInt8] {
    let text = JSONWriter.text(object.write)
    let again = parsed(text).flatMap { try? Object(reading: $0) }
    require(again.map { JSONWriter.text($0.write) } == text, "a message is not read back as it was written")
    return text
  }

  private static func isTakenByDaemon(_ text: [UInt8], _ method: MethodName) -> Bool {
    text.withUnsafeBytes { bytes in
      guard let object = try? JSONParser().parse(bytes), object.kind == .object else { return false }
      return (try? method.parameters.init(object)) != nil
    }
  }

  private static func parsed(_ text: [UInt8]) -> JSONNode? {
    text.withUnsafeBytes { try? parser.parse($0) }
  }

  /// Whether what is described of a value is in what was read, which may have more: what stands for a missing member.
  /// An empty list may be missing instead.
  ///
  /// Any number is as good, since seconds are rounded, and any body: its bytes have two spellings.
  private static func holds(_ read: JSONValue, _ value: JSONValue) -> Bool {
    switch (read, value) {
    case (_, .null), (.integer, .integer), (.integer, .real), (.real, .integer), (.real, .real): true
    case (.array(let elements), .array(let others)):
      elements.count == others.count && zip(elements, others).allSatisfy(holds)
    case (.object(let object), .object(let other)):
      other.members.allSatisfy { member in
        guard SchemaSampler.memberNames.contains(member.name), member.name != "body" else { return true }
        guard let found = object[member.name] else { return [.null, .array([])].contains(member.value) }
        return holds(found, member.value)
      }
    default: read == value
    }
  }

  /// With one spelling of each number and the members of an object in one order, without those that are null.
  private static func plain(_ value: JSONValue) -> JSONValue {
    switch value {
    case .null, .bool, .real, .string, .secret: value
    case .integer(let integer): .real(Double(integer))
    case .array(let elements): .array(elements.map(plain))
    case .object(let object):
      .object(
        JSONObject(
          object.members.filter { $0.value != .null }.sorted { $0.name < $1.name }
            .map { JSONObject.Member(name: $0.name, value: plain($0.value)) }))
    }
  }
}
