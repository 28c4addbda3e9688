internal import WatchwordVocabulary

/// What one task has met in one protection space.
struct SpaceRecord: Sendable {
  /// A credential that serves this task only, or until the server has accepted it.
  struct OwnCredential: Sendable {
    let credential: Credential
    var authenticator: Authenticator
    /// Whether other tasks wait for the server to judge it.
    var isOnTrial: Bool
    var isAccepted = false
    let source: ProposedCredential.Source
    /// What counts against the limits of one that serves this task only.
    var record: UseRecord
    /// Whether it is sent once more for the same request.
    var isRepeated = false
    /// The last refusal that the session knew of when it was chosen.
    let chosenAfter: UInt64
    /// The record of the account's permanent credentials that it is.
    var permanentNumber: UInt64?

    init(
      _ credential: Credential, _ authenticator: Authenticator, isOnTrial: Bool = false,
      from source: ProposedCredential.Source, permanentNumber: UInt64? = nil, chosenAfter: UInt64, now: Double
    ) {
      self.credential = credential
      self.authenticator = authenticator
      self.isOnTrial = isOnTrial
      self.source = source
      self.permanentNumber = permanentNumber
      self.chosenAfter = chosenAfter
      // A record of the account counts for itself.
      record = UseRecord(
        limits: permanentNumber == nil ? credential.limits : CredentialLimits(), created: now)
    }

    /// Whether its limits allow it to be sent with this request.
    func permits(_ use: CredentialUse) -> Bool {
      record.limits.permit(use)
        && !record.isOver(now: use.now, wallClock: use.wallClock, isRepeated: isRepeated)
    }

    /// Counts the sending.
    mutating func noteUse(now: Double) {
      if isRepeated { record.noteRepetition(now: now) } else { record.noteUse(now: now) }
      isRepeated = false
    }
  }

  /// Excluded for this task, by a disposition or because it leads nowhere.
  var isExcluded = false
  /// Whether a delegate has confirmed the use of a credential with the limit `confirm`.
  var isConfirmed = false
  var own: OwnCredential?
  /// Whether a reused nonce that was refused without `stale` has been tried again; that happens once.
  var hasRetriedPlainly = false

  /// Whether a ticket that the server has refused has been replaced; that happens once.
  var hasRenewedTicket = false

  /// Why a credential could not be used here, until a delegate has answered.
  private(set) var fault: NegotiationFault?
  private var failed: [Credential.Kind] = []
  /// Everything that could not be used in this task, whatever delegates have answered since.
  private var faults: [(kind: Credential.Kind, fault: NegotiationFault)] = []
  /// How often one of these has met the same fault once more.
  private var repeatedFaultCount = 0
  /// Why the space's source gave nothing, until there is another answer.
  var sourceFailure: SourceFailure?

  /// Credentials that the server has refused here: never sent to it again (challenges.md 7.5).
  private(set) var refused: [Credential.Kind] = []
  /// The same, refused to other tasks while this one waited to send them.
  private(set) var refusedToOthers: [Credential.Kind] = []
  /// To which the server has said nothing.
  private var passedOver: [Credential.Kind] = []
  private(set) var lastRefused: ProposedCredential?
  /// Entries up to this generation existed when the task was refused: they are not new.
  private(set) var knownGeneration: UInt64 = 0
  /// Entries that could not be sent when they were about to be.
  private var gone: Set<UInt64> = []

  var refusalCount: Int { refused.count }

  var failureCount: Int { refused.count + refusedToOthers.count + repeatedFaultCount }

  /// Failures of this kind before the space is left to the next offer.
  static let repeatedFaultLimit = 3

  /// Whether the delegates give the same unusable credential again and again.
  var hasFailedForGood: Bool { repeatedFaultCount >= Self.repeatedFaultLimit }

  func hasRefused(_ kind: Credential.Kind) -> Bool {
    refused.contains(kind) || refusedToOthers.contains(kind) || passedOver.contains(kind)
  }

  /// The server has refused a credential to another task, before this one has sent it.
  mutating func noteRefusalToOthers(of kind: Credential.Kind) {
    lastRefused = ProposedCredential(user: kind.user, source: own?.source ?? .session)
    refusedToOthers.append(kind)
    own = nil
  }

  /// The server has said nothing to those who sent it.
  mutating func passOver(_ kind: Credential.Kind) {
    passedOver.append(kind)
    own = nil
  }

  /// Whether this entry of the memory could not be sent.
  func isGone(_ generation: UInt64) -> Bool { gone.contains(generation) }

  mutating func noteGone(_ generation: UInt64) { gone.insert(generation) }

  /// Whether it could not be used; once a delegate has answered, it may be tried again.
  func hasFailed(_ kind: Credential.Kind) -> Bool { failed.contains(kind) }

  /// The credential could not be used; no server has judged it.
  mutating func note(_ fault: NegotiationFault, of kind: Credential.Kind) {
    self.fault = fault
    failed.append(kind)
    if faults.contains(where: { $0.kind == kind && $0.fault == fault }) {
      repeatedFaultCount += 1
    } else {
      faults.append((kind, fault))
    }
    own = nil
  }

  mutating func forgetFaults() {
    fault = nil
    failed = []
    sourceFailure = nil
  }

  /// The server has refused the credential of an exchange.
  ///
  /// - Returns: the task's own credential if that was refused; it is removed.
  mutating func noteRefusal(of sent: AuthenticationStateMachine.SentCredential) -> OwnCredential? {
    defer { own = nil }
    refused.append(sent.kind)
    lastRefused = ProposedCredential(user: sent.kind.user, source: own?.source ?? .session)
    knownGeneration = sent.knownGeneration
    return own
  }
}
