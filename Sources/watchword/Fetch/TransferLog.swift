internal import WatchwordClient
internal import WatchwordJSON
internal import WatchwordPrimitives

/// The output of -v on standard error: heads with `>` and `<`, events with `*`; secret values are hidden.
struct TransferLog {
  let isOn: Bool

  func request(_ request: FetchRequest, url: String, fields: [(name: String, value: String)]) {
    guard isOn else { return }
    write(">", "\(request.method) \(URLText.settingUser(nil, of: url))")
    for (name, value) in request.headers.fields + fields { field(">", name, value) }
    write(">", "")
  }

  func response(_ response: JSONValue) {
    guard isOn else { return }
    write("<", "\(ResponseHead.version(of: response)) \(response["status"]?.integer ?? 0)")
    for (name, value) in response["headers"]?.fields ?? [] { field("<", name, value) }
    write("<", "")
  }

  /// A head before the result's.
  func earlier(_ parameters: JSONValue) {
    response(parameters)
    guard let target = parameters["to"]?.text else { return }
    note("redirect \(parameters["status"]?.integer ?? 0) to \(target)")
  }

  func challenge(_ challenge: JSONValue) {
    guard isOn, let space = challenge["protectionSpace"] else { return }
    let failures = challenge["previousFailureCount"]?.integer ?? 0
    note(
      "challenge \(challenge["challenge"]?.text ?? "") from \(SpaceText.text(of: space)), refused \(failures) times"
    )
  }

  /// Prints each exchange, once the task has finished.
  func exchanges(_ result: JSONValue) {
    guard isOn else { return }
    for exchange in result["metrics"]?["exchanges"]?.elements ?? [] {
      let connection = exchange["reused"]?.flag == true ? "open connection" : "new connection"
      let mechanism = exchange["mechanism"]?.text.map { " (\($0))" } ?? ""
      let method = exchange["authenticationMethod"]?.text.map { ", with \($0)\(mechanism)" } ?? ""
      note(
        "exchange \(exchange["url"]?.text ?? "") \(exchange["status"]?.integer ?? 0), \(connection)\(method)")
    }
  }

  func note(_ text: String) {
    if isOn { write("*", text) }
  }

  private func field(_ mark: String, _ name: String, _ value: String) {
    let isSecret = FetchHeaders.secretNames.contains(name.asciiLowercased)
    write(mark, "\(name): \(isSecret ? "<secret>" : value)")
  }

  private func write(_ mark: String, _ text: String) {
    Diagnostics.write("\(mark) \(DisplayText.escaped(text, longest: 2000))\n")
  }
}
