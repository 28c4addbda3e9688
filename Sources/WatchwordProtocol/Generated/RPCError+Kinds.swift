internal import WatchwordJSON
package import WatchwordVocabulary

// Made from `protocol/errors.json` by `protocol/generate`.

extension RPCError {
  /// `parseError`.
  package static func parseError(_ message: String) -> RPCError {
    RPCError(.parseError, message)
  }

  /// `invalidRequest`.
  package static func invalidRequest(_ message: String) -> RPCError {
    RPCError(.invalidRequest, message)
  }

  /// `methodNotFound`.
  package static func methodNotFound(_ message: String) -> RPCError {
    RPCError(.methodNotFound, message)
  }

  /// `invalidParams`.
  ///
  /// - Parameter path: The place of the parameter, such as params.headers[2].
  package static func invalidParams(_ message: String, path: String) -> RPCError {
    RPCError(.invalidParams, message, [("path", JSONValue(sent: path))])
  }

  /// `internalError`.
  package static func internalError(_ message: String) -> RPCError {
    RPCError(.internalError, message)
  }

  /// `sessionNotFound`.
  package static func sessionNotFound(_ message: String) -> RPCError {
    RPCError(.sessionNotFound, message)
  }

  /// `sessionInvalidated`.
  package static func sessionInvalidated(_ message: String) -> RPCError {
    RPCError(.sessionInvalidated, message)
  }

  /// `sessionConfigurationDiffers`.
  ///
  /// - Parameter members: The paths of the members that differ.
  package static func sessionConfigurationDiffers(_ message: String, members: [String]) -> RPCError {
    RPCError(.sessionConfigurationDiffers, message, [("members", JSONValue(sent: members))])
  }

  /// `limitExceeded`.
  ///
  /// - Parameter limit: The name of the limit, as in status.
  package static func limitExceeded(_ message: String, limit: String) -> RPCError {
    RPCError(.limitExceeded, message, [("limit", JSONValue(sent: limit))])
  }

  /// `notPermitted`.
  package static func notPermitted(_ message: String) -> RPCError {
    RPCError(.notPermitted, message)
  }

  /// `messageTooLarge`.
  package static func messageTooLarge(_ message: String) -> RPCError {
    RPCError(.messageTooLarge, message)
  }

  /// `shuttingDown`.
  package static func shuttingDown(_ message: String) -> RPCError {
    RPCError(.shuttingDown, message)
  }

  /// `descriptorUnusable`.
  ///
  /// - Parameters:
  ///   - path: The parameter that names the descriptor, such as params.body.descriptor.
  ///   - reason: For vault/import: why the file is none that it can read.
  package static func descriptorUnusable(_ message: String, path: String, reason: String? = nil) -> RPCError {
    RPCError(
      .descriptorUnusable, message,
      [
        ("path", JSONValue(sent: path)),
        ("reason", reason.map { JSONValue(sent: $0) }),
      ])
  }

  /// `configurationInvalid`.
  ///
  /// - Parameter path: The member of the file, such as `transportSecurity.domains[0].domain`; missing when
  ///   the file is not JSON.
  package static func configurationInvalid(_ message: String, path: String? = nil) -> RPCError {
    RPCError(.configurationInvalid, message, [("path", path.map { JSONValue(sent: $0) })])
  }

  /// `restartFailed`.
  package static func restartFailed(_ message: String) -> RPCError {
    RPCError(.restartFailed, message)
  }

  /// `restricted`.
  ///
  /// - Parameters:
  ///   - reason: What the rules do not allow. For member, data.path names the parameter of fetch.
  ///   - origin: The origin of the refused request; missing when there is none yet, and when a redirect
  ///     leads to no http or https URL.
  ///   - path: For member: the parameter.
  ///   - retrySeconds: For rate: when the next request is allowed.
  package static func restricted(
    _ message: String, reason: some RawRepresentable<String>, origin: String? = nil, path: String? = nil,
    retrySeconds: Double? = nil
  ) -> RPCError {
    RPCError(
      .restricted, message,
      [
        ("reason", JSONValue(sent: reason.rawValue)),
        ("origin", origin.map { JSONValue(sent: $0) }),
        ("path", path.map { JSONValue(sent: $0) }),
        ("retrySeconds", retrySeconds.map { JSONValue(sent: $0) }),
      ])
  }

  /// `sessionHasTasks`.
  package static func sessionHasTasks(_ message: String) -> RPCError {
    RPCError(.sessionHasTasks, message)
  }

  /// `taskNotFound`.
  package static func taskNotFound(_ message: String) -> RPCError {
    RPCError(.taskNotFound, message)
  }

  /// `taskCancelled`.
  package static func taskCancelled(_ message: String) -> RPCError {
    RPCError(.taskCancelled, message)
  }

  /// `requestCancelled`.
  package static func requestCancelled(_ message: String) -> RPCError {
    RPCError(.requestCancelled, message)
  }

  /// `taskIdentifierInUse`.
  ///
  /// - Parameter path: The parameter: params.task.
  package static func taskIdentifierInUse(_ message: String, path: String) -> RPCError {
    RPCError(.taskIdentifierInUse, message, [("path", JSONValue(sent: path))])
  }

  /// `bodyNotReplayable`.
  package static func bodyNotReplayable(_ message: String) -> RPCError {
    RPCError(.bodyNotReplayable, message)
  }

  /// `tooManyRedirects`.
  package static func tooManyRedirects(_ message: String) -> RPCError {
    RPCError(.tooManyRedirects, message)
  }

  /// `redirectRefused`.
  package static func redirectRefused(_ message: String) -> RPCError {
    RPCError(.redirectRefused, message)
  }

  /// `redirectNotPending`.
  package static func redirectNotPending(_ message: String) -> RPCError {
    RPCError(.redirectNotPending, message)
  }

  /// `outputFailed`.
  ///
  /// - Parameter reason: What the system reports.
  package static func outputFailed(_ message: String, reason: String) -> RPCError {
    RPCError(.outputFailed, message, [("reason", JSONValue(sent: reason))])
  }

  /// `bodyTooLarge`.
  ///
  /// - Parameter limit: Which bound.
  package static func bodyTooLarge(_ message: String, limit: some RawRepresentable<String>) -> RPCError {
    RPCError(.bodyTooLarge, message, [("limit", JSONValue(sent: limit.rawValue))])
  }

  /// `digestMismatch`.
  ///
  /// - Parameters:
  ///   - algorithm: The algorithm of the digest.
  ///   - expectedBy: Where the digest comes from.
  package static func digestMismatch(
    _ message: String, algorithm: some RawRepresentable<String>, expectedBy: some RawRepresentable<String>
  ) -> RPCError {
    RPCError(
      .digestMismatch, message,
      [
        ("algorithm", JSONValue(sent: algorithm.rawValue)),
        ("expectedBy", JSONValue(sent: expectedBy.rawValue)),
      ])
  }

  /// `tooManyExchanges`.
  package static func tooManyExchanges(_ message: String) -> RPCError {
    RPCError(.tooManyExchanges, message)
  }

  /// `taskInterrupted`.
  package static func taskInterrupted(_ message: String) -> RPCError {
    RPCError(.taskInterrupted, message)
  }

  /// `challengeNotPending`.
  package static func challengeNotPending(_ message: String) -> RPCError {
    RPCError(.challengeNotPending, message)
  }

  /// `dispositionNotAllowed`.
  ///
  /// - Parameter rule: The administrator's rule.
  package static func dispositionNotAllowed(_ message: String, rule: String) -> RPCError {
    RPCError(.dispositionNotAllowed, message, [("rule", JSONValue(sent: rule))])
  }

  /// `credentialUnusable`.
  ///
  /// - Parameters:
  ///   - reason: Why it cannot be used.
  ///   - sourceReason: Of sourceFailed, when the source gave nothing: why.
  package static func credentialUnusable(
    _ message: String, reason: some RawRepresentable<String>, sourceReason: String? = nil
  ) -> RPCError {
    RPCError(
      .credentialUnusable, message,
      [
        ("reason", JSONValue(sent: reason.rawValue)),
        ("sourceReason", sourceReason.map { JSONValue(sent: $0) }),
      ])
  }

  /// `userCancelledAuthentication`.
  package static func userCancelledAuthentication(_ message: String) -> RPCError {
    RPCError(.userCancelledAuthentication, message)
  }

  /// `serverTrustRejected`.
  ///
  /// - Parameter reasons: What default evaluation found; empty when an answer refused a good certificate.
  package static func serverTrustRejected(_ message: String, reasons: [TrustFault]) -> RPCError {
    RPCError(.serverTrustRejected, message, [("reasons", JSONValue(sent: reasons))])
  }

  /// `serverNotAuthenticated`.
  package static func serverNotAuthenticated(_ message: String) -> RPCError {
    RPCError(.serverNotAuthenticated, message)
  }

  /// `authenticationFailed`.
  ///
  /// - Parameter reason: Why: of Negotiate and NTLM, or of a login form.
  package static func authenticationFailed(
    _ message: String, reason: some RawRepresentable<String>
  ) -> RPCError {
    RPCError(.authenticationFailed, message, [("reason", JSONValue(sent: reason.rawValue))])
  }

  /// `proxyAuthenticationFailed`.
  ///
  /// - Parameters:
  ///   - status: 407; missing for SOCKS.
  ///   - headers: Header fields of the proxy's response; missing for SOCKS.
  package static func proxyAuthenticationFailed(
    _ message: String, status: Int? = nil, headers: [HeaderField]? = nil
  ) -> RPCError {
    RPCError(
      .proxyAuthenticationFailed, message,
      [
        ("status", status.map { JSONValue(sent: $0) }),
        ("headers", headers.map { JSONValue(sent: $0) }),
      ])
  }

  /// `credentialSourceFailed`.
  ///
  /// - Parameters:
  ///   - source: The name of the source in the administrator's configuration.
  ///   - reason: Why it gave nothing (administrator.md 15.3.8).
  package static func credentialSourceFailed(
    _ message: String, source: String, reason: some RawRepresentable<String>
  ) -> RPCError {
    RPCError(
      .credentialSourceFailed, message,
      [
        ("source", JSONValue(sent: source)),
        ("reason", JSONValue(sent: reason.rawValue)),
      ])
  }

  /// `transportFailed`.
  package static func transportFailed(_ message: String) -> RPCError {
    RPCError(.transportFailed, message)
  }

  /// `nameNotResolved`.
  package static func nameNotResolved(_ message: String) -> RPCError {
    RPCError(.nameNotResolved, message)
  }

  /// `connectionFailed`.
  ///
  /// - Parameter reason: What the system reports; missing for anything else.
  package static func connectionFailed(_ message: String, reason: String? = nil) -> RPCError {
    RPCError(.connectionFailed, message, [("reason", reason.map { JSONValue(sent: $0) })])
  }

  /// `connectionLost`.
  ///
  /// - Parameters:
  ///   - processed: Whether the server may have processed the request.
  ///   - responseBegan: Whether some of the response had arrived.
  package static func connectionLost(
    _ message: String, processed: some RawRepresentable<String>, responseBegan: Bool
  ) -> RPCError {
    RPCError(
      .connectionLost, message,
      [
        ("processed", JSONValue(sent: processed.rawValue)),
        ("responseBegan", JSONValue(sent: responseBegan)),
      ])
  }

  /// `timedOut`.
  ///
  /// - Parameter phase: What has taken too long.
  package static func timedOut(_ message: String, phase: some RawRepresentable<String>) -> RPCError {
    RPCError(.timedOut, message, [("phase", JSONValue(sent: phase.rawValue))])
  }

  /// `malformedResponse`.
  ///
  /// - Parameter reason: flood: the origin sends without end what is no part of a response. range: with
  ///   output.resumeIfRange, the body is not the part that was asked for.
  package static func malformedResponse(_ message: String, reason: String? = nil) -> RPCError {
    RPCError(.malformedResponse, message, [("reason", reason.map { JSONValue(sent: $0) })])
  }

  /// `tlsFailed`.
  ///
  /// - Parameters:
  ///   - reason: What the server said of the client certificate, that the token with its key did not sign,
  ///     or what was wrong with the handshake; missing for any other reason.
  ///   - rules: The administrator's rules that ask for more than the session does.
  package static func tlsFailed(
    _ message: String, reason: String? = nil, rules: [String]? = nil
  ) -> RPCError {
    RPCError(
      .tlsFailed, message,
      [
        ("reason", reason.map { JSONValue(sent: $0) }),
        ("rules", rules.map { JSONValue(sent: $0) }),
      ])
  }

  /// `addressRefused`.
  package static func addressRefused(_ message: String) -> RPCError {
    RPCError(.addressRefused, message)
  }

  /// `headersTooLarge`.
  package static func headersTooLarge(_ message: String) -> RPCError {
    RPCError(.headersTooLarge, message)
  }

  /// `contentDecodingFailed`.
  package static func contentDecodingFailed(_ message: String) -> RPCError {
    RPCError(.contentDecodingFailed, message)
  }

  /// `policyRefused`.
  ///
  /// - Parameter rule: The administrator's rule.
  package static func policyRefused(_ message: String, rule: String) -> RPCError {
    RPCError(.policyRefused, message, [("rule", JSONValue(sent: rule))])
  }

  /// `proxyFailed`.
  ///
  /// - Parameters:
  ///   - reason: What failed, or what a SOCKS proxy answered.
  ///   - status: The proxy's answer to CONNECT, for refused.
  ///   - headers: Header fields of that answer.
  ///   - processed: For connectionLost: whether the server may have processed the request.
  package static func proxyFailed(
    _ message: String, reason: some RawRepresentable<String>, status: Int? = nil,
    headers: [HeaderField]? = nil, processed: String? = nil
  ) -> RPCError {
    RPCError(
      .proxyFailed, message,
      [
        ("reason", JSONValue(sent: reason.rawValue)),
        ("status", status.map { JSONValue(sent: $0) }),
        ("headers", headers.map { JSONValue(sent: $0) }),
        ("processed", processed.map { JSONValue(sent: $0) }),
      ])
  }

  /// `storageUnavailable`.
  package static func storageUnavailable(_ message: String) -> RPCError {
    RPCError(.storageUnavailable, message)
  }

  /// `credentialNotFound`.
  package static func credentialNotFound(_ message: String) -> RPCError {
    RPCError(.credentialNotFound, message)
  }

  /// `vaultDamaged`.
  package static func vaultDamaged(_ message: String) -> RPCError {
    RPCError(.vaultDamaged, message)
  }

  /// `agentLocked`.
  package static func agentLocked(_ message: String) -> RPCError {
    RPCError(.agentLocked, message)
  }
}
