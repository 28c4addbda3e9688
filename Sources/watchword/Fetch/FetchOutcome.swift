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
      StandardOutput.write(ResponseHead.text(of: result))
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

  private func hint(couldAsk: Bool) -> String? {
    if request.headers.contains("authorization") { return nil }
    if !fetch.mayAsk { return "the server wants a credential, and --no-ask forbids to ask for one" }
    if couldAsk { return nil }
    return "the server wants a credential and there is no terminal to ask on: --askpass PROGRAM asks instead"
  }
}
