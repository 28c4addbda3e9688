internal import Glibc
internal import WatchwordClient
internal import WatchwordJSON

/// What is printed after the body, and which exit code a response means.
struct FetchOutcome {
  let fetch: FetchCommand
  let request: FetchRequest
  let result: JSONValue
  let log: TransferLog

  func finish(_ target: BodyTarget, couldAsk: Bool) throws(Failure) -> ExitCode {
    let status = result["status"]?.integer ?? 0
    log.exchanges(result)
    if fetch.isHead, !(fetch.failsOnError && status >= 400) {
      try writeHead()
    }
    if let format = fetch.writeOut { StandardOutput.write(WriteOut.text(format, result)) }
    if fetch.showsMetrics, let metrics = result["metrics"] { Diagnostics.write(JSONText.of(metrics) + "\n") }

    let isUnauthorized = status == 401 || status == 407
    let hint = isUnauthorized ? self.hint(couldAsk: couldAsk) : nil
    guard fetch.failsOnError || fetch.resumes, status >= 400, !target.isComplete else {
      if let hint, !fetch.isSilent { Diagnostics.hint(hint) }
      return .success
    }
    throw Failure(
      "the server answered \(status)", hint: hint,
      exitCode: isUnauthorized ? .authenticationRefused : .failure)
  }

  /// With -I the head is the output, and goes where that is wanted.
  private func writeHead() throws(Failure) {
    var head = ResponseHead.text(of: result)
    guard let path = try FetchOutput.path(fetch, url: request.url) else { return StandardOutput.write(head) }
    guard let file = Descriptor.opened(path, O_WRONLY | O_CREAT | O_TRUNC),
      head.withUTF8({ Output.write(UnsafeRawBufferPointer($0), to: file.number) })
    else { throw Failure("\(DisplayText.escaped(path)) cannot be written: \(Output.lastError)") }
  }

  private func hint(couldAsk: Bool) -> String? {
    if request.headers.contains("authorization") { return nil }
    if !fetch.mayAsk { return "the server wants a credential, and --no-ask forbids to ask for one" }
    if couldAsk { return nil }
    return "the server wants a credential and there is no terminal to ask on: --askpass PROGRAM asks instead"
  }
}
