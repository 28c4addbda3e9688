internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

/// `watchword sessions set`: changes settings of a session.
struct SetSessionCommand: Command {
  static let name = "sessions set"
  static let summary = "change settings of a session"
  static let synopsis = "[options] NAME MEMBER=VALUE…"
  static let about = """
    Changes settings of an existing session; those that are not named stay. MEMBER is a path as \
    "watchword sessions describe" shows it: redirects.limit, timeouts.requestSeconds, tls.minimumVersion. \
    VALUE is JSON, or a text as it stands. tls.roots.certificates=@FILE and tls.revocationLists=@FILE read \
    a PEM file.

    Tasks that run keep the settings they began with. A change of roots, pins, revocation, proxies, \
    addresses, login forms or a Host field could lead what the session has to another server, and Basic over cleartext \
    shows it: such a change drops credentials, decisions, client certificates and cookies, and is refused \
    while tasks run. Secrets belong into standard input: watchword \
    call session/configure -
    """
  static let example = "watchword sessions set reports redirects.limit=5 cookies=never"
  static var options: [Option<SetSessionCommand>] {
    [Option(nil, "json", "print the daemon's reply as JSON") { $0.isJSON = true }]
  }

  /// Words that would be numbers of JSON.
  private static let texts = ["tls.minimumVersion", "tls.maximumVersion"]
  /// What can be in a file: it is no secret.
  private static let files = ["tls.roots.certificates", "tls.revocationLists"]

  var daemon = DaemonTarget()
  private var session: String?
  private var configuration = JSONObject()
  private var isJSON = false

  mutating func take(operand: String) throws(Failure) {
    guard session != nil else {
      session = operand
      return
    }
    guard let mark = operand.firstIndex(of: "="), mark > operand.startIndex else {
      throw .usage("\(DisplayText.escaped(operand)) is not MEMBER=VALUE")
    }
    let path = operand[..<mark].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let text = String(operand[operand.index(after: mark)...])
    let value = try Self.value(text, of: String(operand[..<mark]))
    guard Self.set(value, at: path[...], in: &configuration) else {
      throw .usage("\(DisplayText.escaped(operand)) is set twice")
    }
  }

  mutating func run() throws(Failure) -> ExitCode {
    guard let session else {
      throw .usage("the name of the session is missing", hint: "watchword sessions lists them")
    }
    guard !configuration.members.isEmpty else {
      throw .usage("no MEMBER=VALUE", hint: "watchword sessions describe \(session) shows the members")
    }
    let client = try daemon.connect()
    let text: JSONNode
    let result: Sent.ConfiguredSession
    do throws(ClientError) {
      text = try client.call(Request.SessionConfigure.method) { writer in
        writer.key("session")
        writer.string(session)
        writer.key("configuration")
        writer.value(.object(configuration))
      }
    } catch {
      throw Failure(error)
    }
    if isJSON {
      StandardOutput.write(JSONText.of(text) + "\n")
      return .success
    }
    do throws(ReadFault) {
      result = try Sent.ConfiguredSession(reading: text)
    } catch {
      throw Failure("the daemon's reply is not understood")
    }
    StandardOutput.write(Self.text(of: result))
    return .success
  }

  private static func text(of result: Sent.ConfiguredSession) -> String {
    let changed = result.changed.map { DisplayText.escaped($0) }.joined(separator: ", ")
    let dropped = [
      (result.dropped.credentials, "credentials"), (result.dropped.trust, "decisions"),
      (result.dropped.identities, "client certificates"), (result.dropped.cookies, "cookies"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    return (changed.isEmpty ? "nothing changed\n" : "changed: \(changed)\n")
      + (dropped.isEmpty ? "" : "dropped: \(dropped)\n")
      + result.warnings.map { "warning: \(DisplayText.escaped($0))\n" }.joined()
  }

  private static func value(_ text: String, of member: String) throws(Failure) -> JSONValue {
    // 1.3 is no number there; "1.3" is the same text.
    if texts.contains(member), !text.hasPrefix("\"") { return .string(text) }
    if files.contains(member), text.hasPrefix("@") {
      return .string(try PEMFile.text(of: String(text.dropFirst())))
    }
    return Array(text.utf8).withUnsafeBytes { try? JSONParser().parse($0) }.map { JSONValue($0) }
      ?? .string(text)
  }

  /// False when the member is there already.
  private static func set(_ value: JSONValue, at path: ArraySlice<String>, in object: inout JSONObject)
    -> Bool
  {
    guard let name = path.first else { return false }
    let rest = path.dropFirst()
    guard let index = object.index(of: name) else {
      var inner = JSONObject()
      let isSet = rest.isEmpty || set(value, at: rest, in: &inner)
      object.members.append(JSONObject.Member(name: name, value: rest.isEmpty ? value : .object(inner)))
      return isSet
    }
    guard !rest.isEmpty, case .object(var inner) = object.members[index].value else { return false }
    let isSet = set(value, at: rest, in: &inner)
    object.members[index].value = .object(inner)
    return isSet
  }
}
