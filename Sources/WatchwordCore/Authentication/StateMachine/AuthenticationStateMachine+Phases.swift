internal import WatchwordVocabulary

/// Where the machine is between its exchanges: what the next one carries, and what became of the last one.
extension AuthenticationStateMachine {
  /// Which credential the next exchange carries.
  ///
  /// What is large is on the heap, here and below: each of these is passed on several times in every fetch.
  enum Choice {
    /// The one that the task has of its own in this space.
    case own(ProtectionSpace)
    /// The session's; with an offer, in answer to that.
    indirect case cached(CredentialKey, offer: Offer?, isRepeated: Bool)
    /// The session's, sent preemptively.
    case unasked(CredentialKey)
    indirect case renewed(Renewal)

    var isUnasked: Bool {
      if case .unasked = self { true } else { false }
    }
  }

  /// What the next exchange carries.
  enum Next {
    /// What may be sent unasked.
    case nothing
    case choice(Choice)
    /// Another task finds out whether the server still accepts it. What this one was refused with counts
    /// unless it does.
    indirect case afterOthers(Choice, refused: SentCredential)

    var choice: Choice? {
      switch self {
      case .nothing: nil
      case .choice(let choice), .afterOthers(let choice, _): choice
      }
    }
  }

  /// What an exchange carries.
  enum Phase {
    /// Nothing, or nothing that was chosen here.
    case idle
    /// The server has not seen it, or has not answered: the request is prepared once more.
    case takenBack(SentCredential)
    /// It has been prepared; the value is made when it has a connection, or could not be made.
    case prepared(Prepared)
    /// It went without its credential, to be given a nonce of its connection for this choice.
    indirect case withoutNonce(Prepared, Choice)
    case sent(Prepared, SentCredential)
    /// The response proves itself, or not, when its body has been hashed.
    indirect case unproved(Prepared, SentCredential, ResponseHead)
  }

  /// An exchange that carries a credential. An object, as what it sends.
  final class Prepared {
    /// As it is chosen when the same request goes out once more.
    var choice: Choice
    /// Whether a value has been made for it.
    var wasCarried = false
    /// The state of the memory in which it was chosen unasked; nil when another one may be chosen in the same
    /// state.
    var revision: UInt64?
    /// Of the request's body.
    var bodyHash: (algorithm: HashAlgorithm, body: DigestBody)?

    init(_ choice: Choice) { self.choice = choice }
  }

  /// In a space where requests go one at a time.
  struct Turn: Sendable {
    let task: TaskIdentifier
    /// Whether it is for a login page, rather than for a nonce.
    var isForLogin = false
  }

  var prepared: Prepared? {
    switch phase {
    case .idle, .takenBack: nil
    case .prepared(let prepared), .withoutNonce(let prepared, _), .sent(let prepared, _),
      .unproved(let prepared, _, _):
      prepared
    }
  }

  /// What the running exchange carries, or the last one; nil when it carries nothing of ours.
  var sent: SentCredential? {
    switch phase {
    case .idle, .prepared, .withoutNonce: nil
    case .takenBack(let sent), .sent(_, let sent), .unproved(_, let sent, _): sent
    }
  }

  /// Another exchange begins: nothing of the last one is taken back, which may have been another origin's.
  func endExchange() { phase = .idle }

  /// Whether the response's body decides.
  var isUnproved: Bool {
    if case .unproved = phase { true } else { false }
  }

  /// - Parameter repeated: what the same request carries when it goes out once more.
  func noteSent(_ sent: SentCredential, repeated: Choice? = nil) {
    guard let prepared else { return assertionFailure("nothing was prepared") }
    if let repeated { prepared.choice = repeated }
    prepared.wasCarried = true
    phase = .sent(prepared, sent)
  }
}

extension AuthenticationStateMachine.Choice {
  /// The space that it is for.
  var space: ProtectionSpace {
    switch self {
    case .own(let space): space
    case .cached(let key, _, _), .unasked(let key): key.space
    case .renewed(let renewal): renewal.key.space
    }
  }

  /// The space whose nonce it shares with other tasks; nil when it shares none.
  var sharedSpace: ProtectionSpace? {
    switch self {
    case .own: nil
    case .cached(let key, _, _), .unasked(let key): key.space.isDigest ? key.space : nil
    case .renewed(let renewal): renewal.key.space
    }
  }

  /// Whether its value is made when the request goes onto its connection: it is another one for each request,
  /// or a credential that others may have replaced or removed while the request waited.
  var isLate: Bool {
    switch self {
    case .own(let space): space.isAuthorizedLate
    case .cached(let key, _, _), .unasked(let key): key.space.isAuthorizedLate
    case .renewed: true
    }
  }
}

extension ProtectionSpace {
  var isDigest: Bool { authenticationMethod == .digest }

  /// Whether its field is made when the request goes onto its connection. What a SOCKS proxy is sent is part
  /// of the request.
  fileprivate var isAuthorizedLate: Bool {
    switch authenticationMethod {
    case .basic, .bearer, .digest: proxyType?.isSOCKS != true
    case .negotiate, .ntlm, .htmlForm, .serverTrust, .clientCertificate, .agentUnlock, .key: false
    }
  }
}
