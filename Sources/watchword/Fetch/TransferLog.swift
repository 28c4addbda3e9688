internal import WatchwordMessages
internal import WatchwordPrimitives
internal import WatchwordVocabulary

/// The output of -v on standard error: heads with `>` and `<`, events with `*`; secret values are hidden.
struct TransferLog {
  let isOn: Bool

  func request(_ request: FetchRequest, url: String, fields: [(name: String, value: String)]) {
    guard isOn else { return }
    write(">", "\(request.method) \(URLText.settingUser(nil, of: url))")
    for (name, value) in request.headers.fields + fields { field(">", name, value) }
    write(">", "")
  }

  func response(_ response: ResponseHead) {
    guard isOn else { return }
    write("<", "\(response.version) \(response.status)")
    for header in response.fields { field("<", header.name, header.value) }
    write("<", "")
  }

  func redirect(_ redirect: Sent.TaskDidRedirect) {
    response(ResponseHead(redirect))
    note("redirect \(redirect.status) to \(redirect.to)")
  }

  func challenge(_ challenge: Sent.Challenge) {
    guard isOn else { return }
    let space = SpaceText.text(of: challenge.protectionSpace)
    note("challenge \(challenge.challenge) from \(space), refused \(challenge.previousFailureCount) times")
  }

  /// Prints each exchange, once the task has finished.
  func exchanges(_ result: Sent.FetchResult) {
    guard isOn else { return }
    for exchange in result.metrics?.exchanges ?? [] {
      let connection = exchange.reused ? "open connection" : "new connection"
      let mechanism = exchange.mechanism.map { " (\($0))" } ?? ""
      let method = exchange.authenticationMethod.map { ", with \($0)\(mechanism)" } ?? ""
      note("exchange \(exchange.url) \(exchange.status), \(connection)\(method)")
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
