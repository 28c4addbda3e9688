internal import CLoaded
package import WatchwordCore
package import WatchwordReactor
package import WatchwordVocabulary

/// Makes and verifies the tokens of Negotiate and NTLM for one session, through GSSAPI.
///
/// The library reads files and waits for the realm's servers, so every call runs on threads that nothing else
/// needs, and within a time limit: a thread that a silent server holds is not waited for.
@ReactorActor
package final class Negotiator {
  /// Threads for all sessions: a session whose realm is silent leaves the others of its account some, and an
  /// account whose realms are silent the other accounts.
  private static let lanes = WorkLanes(threads: 32, width: 4, accountWidth: 8)
  private static var lastLane: UInt64 = 0
  /// Steps of an account that run or wait at a time; each belongs to a connection that a task holds.
  private static let capacity = 512
  /// libkrb5 itself gives up after about half a minute.
  package static let seconds = 20.0

  /// Whether GSSAPI is there for the method.
  package static func supports(_ method: AuthenticationMethod) -> Bool {
    method == .ntlm ? security_has_ntlm() : security_is_available()
  }

  private static var running: [UInt32: Int] = [:]

  private var credentials: [UInt64: SecurityCredential] = [:]
  private var contexts: [TaskIdentifier: (number: UInt64, context: SecurityContext)] = [:]
  private let mayUseDefaultCache: Bool
  private let uid: UInt32
  private let lane: UInt64

  /// - Parameters:
  ///   - uid: of the session.
  ///   - mayUseDefaultCache: whether the session belongs to the account that the daemon runs as.
  package init(uid: UInt32, mayUseDefaultCache: Bool) {
    self.uid = uid
    self.mayUseDefaultCache = mayUseDefaultCache
    Negotiator.lastLane += 1
    lane = Negotiator.lastLane
  }

  /// Takes the server's token and makes the next one; `then` is called exactly once, in a later turn.
  package func step(
    _ step: NegotiationStep, for task: TaskIdentifier, files: KerberosFiles,
    then: @escaping @ReactorActor (NegotiationOutcome) -> Void
  ) {
    let source = SecuritySource(step, files: files, mayUseDefaultCache: mayUseDefaultCache)
    guard let source, Negotiator.running[uid, default: 0] < Negotiator.capacity,
      let context = context(step, task)
    else {
      let fault: NegotiationFault = source == nil ? .ticketMissing : .unavailable
      return EventLoop.shared.atEndOfTurn { then(.failed(fault)) }
    }
    let end = Once(then)
    let timer = EventLoop.shared.schedule(after: Negotiator.seconds) { [weak self] in
      self?.forget(task)
      end.call(.failed(.timedOut))
    }
    Negotiator.running[uid, default: 0] += 1
    Negotiator.lanes.submit(in: lane, of: uid) {
      Negotiator.run(step, source, context)
    } then: { [uid] outcome in
      Negotiator.ended(of: uid)
      timer.cancel()
      end.call(outcome)
    }
  }

  private static func ended(of uid: UInt32) {
    let rest = running[uid, default: 1] - 1
    running[uid] = rest > 0 ? rest : nil
  }

  /// The task needs its context no more.
  package func forget(_ task: TaskIdentifier) {
    if !contexts.isEmpty { contexts[task] = nil }
  }

  /// The tickets of an account are not used again.
  package func forget(account: UInt64) { credentials[account] = nil }
  package func forgetAllAccounts() { credentials = [:] }

  /// Called once, by the result or by the time limit.
  @ReactorActor
  private final class Once {
    private var then: (@ReactorActor (NegotiationOutcome) -> Void)?

    init(_ then: @escaping @ReactorActor (NegotiationOutcome) -> Void) { self.then = then }

    func call(_ outcome: NegotiationOutcome) {
      let then = self.then.take()
      then?(outcome)
    }
  }

  /// The context that the step continues, or a new one.
  private func context(_ step: NegotiationStep, _ task: TaskIdentifier) -> SecurityContext? {
    if step.input != nil {
      guard let known = contexts[task], known.number == step.context else { return nil }
      return known.context
    }
    guard let credential = credential(step), let context = SecurityContext(credential) else { return nil }
    contexts[task] = (step.context, context)
    return context
  }

  private func credential(_ step: NegotiationStep) -> SecurityCredential? {
    if let known = credentials[step.account] { return known }
    let credential = SecurityCredential()
    credentials[step.account] = credential
    return credential
  }

  // MARK: On a thread of the pool

  private nonisolated static func run(
    _ step: NegotiationStep, _ source: SecuritySource, _ context: SecurityContext
  ) -> NegotiationOutcome {
    var input: [UInt8] = []
    if let text = step.input {
      guard let bytes = Base64.decode(text), !bytes.isEmpty else { return .failed(.tokenRefused) }
      input = bytes
    }
    let binding = step.serverEndPoint.isEmpty ? [] : Array("tls-server-end-point:".utf8) + step.serverEndPoint
    var output = security_bytes(bytes: nil, count: 0)
    let result = source.with { source in
      step.host.withCString { host in
        input.withUnsafeBytes { input in
          binding.withUnsafeBytes { binding in
            var target = security_target(
              host: host,
              channel_binding: security_bytes(bytes: binding.baseAddress, count: binding.count),
              delegates: step.policy.delegates, renews_ticket: step.renewsTicket)
            return security_step(
              context.pointer, context.credential.pointer, source, &target,
              security_bytes(bytes: input.baseAddress, count: input.count), &output)
          }
        }
      }
    }
    defer { security_token_free(&output) }
    let token = Secret(copying: UnsafeRawBufferPointer(start: output.bytes, count: output.count))
    switch result {
    case SECURITY_CONTINUE: return token.isEmpty ? .failed(.tokenRefused) : .token(token, isComplete: false)
    case SECURITY_COMPLETE:
      guard token.isEmpty else { return .token(token, isComplete: true) }
      return .established(security_context_inner(context.pointer) == SECURITY_INNER_NTLM ? .ntlm : .kerberos)
    case SECURITY_PEER_REFUSED: return .refused(NegotiationFault(security_context_refusal(context.pointer)))
    default: return .failed(NegotiationFault(result))
    }
  }
}

extension NegotiationFault {
  fileprivate init(_ result: security_result) {
    switch result {
    case SECURITY_UNAVAILABLE: self = .unavailable
    case SECURITY_TICKET_MISSING: self = .ticketMissing
    case SECURITY_TICKET_EXPIRED: self = .ticketExpired
    case SECURITY_CREDENTIAL_REFUSED: self = .credentialRefused
    case SECURITY_CREDENTIAL_MALFORMED: self = .credentialMalformed
    case SECURITY_SERVER_UNKNOWN: self = .serverUnknown
    case SECURITY_KDC_UNREACHABLE: self = .kdcUnreachable
    case SECURITY_CLOCK_SKEW: self = .clockSkew
    case SECURITY_TOKEN_REFUSED: self = .tokenRefused
    case SECURITY_MECHANISM_REFUSED: self = .mechanismRefused
    default: self = .failed
    }
  }
}
