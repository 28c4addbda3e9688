package import WatchwordSecret
internal import WatchwordVocabulary

/// A device code as an authorization server issued it (RFC 8628 §3.2).
package struct IssuedCode: Sendable, Equatable {
  package let code: Secret
  package let prompt: DevicePrompt
  /// Seconds from its issue on.
  package let lifetime: Double
  /// Seconds between two questions to the token endpoint.
  package let interval: Double

  /// Longer ones say nothing that could be planned for.
  private static let lifetimes = 1.0...315_360_000.0
  /// A person does not wait longer to go on.
  private static let intervals = 0.0...300.0
  private static let defaultInterval = 5.0
  private static let shortestInterval = 1.0

  /// Judges the reply of a device authorization endpoint. Nothing of it becomes part of an error.
  package static func code(of answer: TokenReply.Answer) -> Result<IssuedCode, SourceFault> {
    if let fault = TokenReply.fault(of: answer) { return .failure(fault) }
    guard let members = answer.members, let code = members.deviceCode, TokenReply.isVisible(code),
      let page = members.verificationURI, let userCode = members.userCode, let lifetime = members.expiresIn,
      lifetimes.contains(lifetime), intervals.contains(members.interval ?? defaultInterval),
      let prompt = DevicePrompt(
        verificationURI: page, userCode: userCode, completeURI: members.completeURI)
    else { return .failure(.malformed) }
    return .success(
      IssuedCode(
        code: code, prompt: prompt, lifetime: lifetime,
        interval: max(shortestInterval, members.interval ?? defaultInterval)))
  }
}
