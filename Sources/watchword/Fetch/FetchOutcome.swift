internal import Glibc
internal import WatchwordMessages
internal import WatchwordVocabulary

/// What is printed after the body, and which exit code a response means.
struct FetchOutcome {
  let fetch: FetchCommand
  let request: FetchRequest
  /// Nil when the fetch has failed.
  let result: Sent.FetchResult?
  /// Those that the daemon told, the result's last.
  let heads: [HeadText]
  let log: TransferLog
  /// The file of the body; nil for standard output.
  let path: String?

  /// - Parameters:
  /// - couldAsk: whether a person or an askpass program could answer a challenge.
  /// - wasAsked: whether a challenge for a credential arrived.
  /// - kept: says why a kept credential has not answered a refusal, or has not been sent to a server that
  ///   denies the page.
  func finish(
    _ target: BodyTarget, couldAsk: Bool, wasAsked: Bool, kept: (_ isRefusal: Bool) -> String?
  ) throws(Failure) -> ExitCode {
    let response = result.map { HeadText($0) }
    if let result { log.exchanges(result) }
    if fetch.isHead { try writeHead() }
    let failure = response.flatMap {
      self.failure($0, target, couldAsk: couldAsk, wasAsked: wasAsked, kept: kept)
    }
    writeOut(after: failure)
    if fetch.showsMetrics, let metrics = result?.metrics {
      Diagnostics.write(JSONText.of(metrics) + "\n")
    }

    if let response, result?.body.isTruncated == true, !fetch.withholdsBody(of: response), !fetch.isSilent {
      Diagnostics.report(Failure("the body is cut: only the beginning of a refusal's page is held"))
    }
    if let failure { throw failure }
    return .success
  }

  /// What the response means for the exit code; nil when it is 0.
  private func failure(
    _ response: HeadText, _ target: BodyTarget, couldAsk: Bool, wasAsked: Bool,
    kept: (_ isRefusal: Bool) -> String?
  ) -> Failure? {
    let isRefusal = response.isRefusal
    let isFailure =
      isRefusal || fetch.withholdsBody(of: response) || fetch.failsWithBody && response.status >= 400
    guard isFailure, !target.isComplete else { return nil }
    let unusable = isRefusal ? unusableOffers(couldAsk: couldAsk, wasAsked: wasAsked) : nil
    let kept = isRefusal || response.status == 403 || response.status == 404 ? kept(isRefusal) : nil
    let hint =
      kept ?? unusable?.hint(isLimited: fetch.session.methods.isLimited)
      ?? (isRefusal ? self.hint(couldAsk: couldAsk) : nil)
    let text =
      unusable?.text
      ?? (response.isLoginPage
        ? "the response is the server's login page" : "the server answered \(response.status)")
    return Failure(
      text + (whichURL.map { " for \($0)" } ?? ""), hint: hint,
      exitCode: isRefusal ? .authenticationRefused : .statusRefused)
  }

  /// Of the response, where it is not the only URL that the command line has, or another one after a
  /// redirect.
  private var whichURL: String? {
    let isRedirected = heads.dropLast().contains { 300..<400 ~= $0.status }
    guard isRedirected || fetch.isOneOfSeveral else { return nil }
    let url = result?.url ?? URLText.settingUser(nil, of: request.url)
    return DisplayText.escaped(url, longest: 500)
  }

  /// Prints the text of -w, after a failure too.
  func writeOut(after failure: Failure?) {
    guard let format = fetch.writeOut else { return }
    var writeOut = WriteOut(
      request, result, failure: failure, urlNumber: fetch.urlNumber, path: path)
    for text in writeOut.texts(format) {
      text.octets.withUnsafeBytes { bytes in
        switch text.place {
        case .output: StandardOutput.writeAll(bytes)
        case .errors: _ = Output.write(bytes, to: STDERR_FILENO)
        case .file(let path, let appends): Self.write(bytes, to: path, appends: appends)
        }
      }
    }
    guard !fetch.isSilent else { return }
    for name in writeOut.unknown { Diagnostics.warn("-w knows no %{\(DisplayText.escaped(name))}") }
  }

  /// As curl: the fetch does not fail for it.
  private static func write(_ bytes: UnsafeRawBufferPointer, to path: String, appends: Bool) {
    guard let file = Descriptor.opened(path, O_WRONLY | O_CREAT | (appends ? O_APPEND : O_TRUNC)),
      Output.write(bytes, to: file.number)
    else { return Diagnostics.warn("-w: \(path) cannot be written: \(Output.lastError)") }
  }

  /// With -I the heads are the output, and go to the output's destination.
  private func writeHead() throws(Failure) {
    var head = heads.map(\.text).joined()
    guard let path = try FetchOutput.path(fetch, url: request.url) else { return StandardOutput.write(head) }
    guard let file = Descriptor.opened(path, O_WRONLY | O_CREAT | O_TRUNC),
      head.withUTF8({ Output.write(UnsafeRawBufferPointer($0), to: file.number) })
    else {
      throw Failure(
        "\(DisplayText.escaped(path)) cannot be written: \(Output.lastError)", exitCode: .outputFailed)
    }
  }

  /// Why there was no question, unless the reason is that nothing could answer one.
  private func unusableOffers(couldAsk: Bool, wasAsked: Bool) -> UnusableOfferTexts? {
    guard !wasAsked, !request.headers.contains("authorization") else { return nil }
    guard let result else { return nil }
    let offers = UnusableOfferTexts(result)
    return couldAsk || offers.areForeign ? offers : nil
  }

  private func hint(couldAsk: Bool) -> String? {
    if request.headers.contains("authorization") { return nil }
    if !fetch.mayAsk { return "the server wants a credential, and --no-ask forbids to ask for one" }
    if fetch.user != nil, let result, UnusableOfferTexts(result).areForTokens {
      return "the server wants a token, and -u means a user and a password"
    }
    if couldAsk { return nil }
    return "there is no terminal to ask on: -u USER --password-fd 3 3<FILE gives a password, "
      + "watchword credentials set keeps one, --askpass PROGRAM asks"
  }
}
