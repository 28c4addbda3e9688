internal import WatchwordJSON
internal import WatchwordOptions

/// `watchword call`: any method of the protocol.
struct CallCommand: Command {
  static let name = "call"
  static let summary = "call any method of the protocol"
  static let synopsis = "[options] METHOD [PARAMS|-]"
  static let about = """
    Sends one JSON-RPC request and prints its result as JSON on one line. PARAMS is a JSON object; - reads
    it from standard input, where secrets belong. "watchword call rpc.discover" describes every method.
    """
  static let example = """
    watchword call session/open '{"name":"reports"}'
    """

  static var options: [Option<CallCommand>] {
    [Option(nil, "json", "no difference: the result is JSON") { _ in }]
  }

  var daemon = DaemonTarget()
  private var method: String?
  private var text: String?

  mutating func take(operand: String) throws(Failure) {
    if method == nil {
      method = operand
    } else if text == nil {
      text = operand
    } else {
      throw .usage("only one PARAMS is allowed", hint: "quote the JSON text for the shell")
    }
  }

  mutating func run() throws(Failure) -> ExitCode {
    guard let method else {
      throw .usage("the method is missing", hint: "watchword call rpc.discover lists them")
    }
    let parameters = try parse()
    let client = try daemon.connect()
    do throws(ClientError) {
      let result = try client.call(method) { writer in
        parameters?.forEachMember { name, value in
          writer.key(name)
          writer.value(value)
          return true
        }
      }
      StandardOutput.write(JSONText.of(result) + "\n")
    } catch {
      throw Failure(error)
    }
    return .success
  }

  /// Nil when none were given.
  private func parse() throws(Failure) -> JSONNode? {
    guard let text else { return nil }
    let bytes = text == "-" ? try InputFile.contents(of: "-") : Array(text.utf8)
    let parsed: Result<JSONNode, Failure> = bytes.withUnsafeBytes { contents in
      Result { () throws(JSONError) in try JSONParser().parse(contents) }
        .mapError { .usage("PARAMS is not JSON: \($0.text(inFile: contents))") }
    }
    guard let object = try parsed.get().object else { throw .usage("PARAMS must be a JSON object") }
    return object
  }
}
