package import WatchwordCore
package import WatchwordJSON
internal import WatchwordPrimitives
internal import WatchwordVocabulary

/// A challenge as it goes over the wire (challenges.md 2.4).
package struct ChallengeDescription {
  /// A task that waits for the answer, and the process behind it.
  package struct Waiter {
    package let task: String
    package let pid: Int32?
    package let uid: UInt32
    /// A hint for display, never a right.
    package let executable: String?

    package init(task: String, pid: Int32?, uid: UInt32, executable: String?) {
      self.task = task
      self.pid = pid
      self.uid = uid
      self.executable = executable
    }
  }

  /// Longest list of waiters in one message; beyond it `waiterCount` says how many there are.
  package static let maximumWaiters = 4096

  package let challenge: String
  package let session: String
  package let task: String
  /// With its query only for the connection of the task.
  package let url: String
  package let question: ChallengeQuestion
  /// Why the source of the space gave nothing.
  package let sourceFailure: SourceFailure?
  /// What a person needs so that the source of the space gives a token.
  package let prompt: PendingChallenge.SourcePrompt?
  /// Of a wish for a client certificate: the session's identities that fit, the one of default handling first.
  package let identities: [String]?
  package let waiters: [Waiter]
  package let waiterCount: Int
  /// Seconds since 1970.
  package let deadline: Double

  package init(
    challenge: String, session: String, task: String, url: String, question: ChallengeQuestion,
    sourceFailure: SourceFailure? = nil, prompt: PendingChallenge.SourcePrompt? = nil,
    identities: [String]? = nil, waiters: [Waiter], waiterCount: Int,
    deadline: Double
  ) {
    self.challenge = challenge
    self.session = session
    self.task = task
    self.url = url
    self.question = question
    self.sourceFailure = sourceFailure
    self.prompt = prompt
    self.identities = identities
    self.waiters = waiters
    self.waiterCount = waiterCount
    self.deadline = deadline
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for member in ChallengeMember.allCases { write(member, to: &writer) }
    writer.endObject()
  }

  /// A member that is absent writes nothing.
  private func write(_ member: ChallengeMember, to writer: inout JSONWriter) {
    switch member {
    case .challenge: writer.member(member.name, challenge)
    case .session: writer.member(member.name, session)
    case .task: writer.member(member.name, task)
    case .url: writer.member(member.name, url)
    case .origin: writer.member(member.name, question.space.serverText)
    case .protectionSpace:
      writer.key(member.name)
      question.space.write(to: &writer, offer: question.offers.first, prompt: prompt?.code)
    case .source: if let prompt { writer.member(member.name, prompt.name) }
    case .offers:
      writer.key(member.name)
      writer.beginArray()
      for offer in question.offers { offer.write(to: &writer) }
      writer.endArray()
    case .proposedCredential:
      writer.key(member.name)
      writeProposedCredential(to: &writer)
    case .identities:
      guard let identities else { return }
      writer.key(member.name)
      writer.strings(identities)
    case .previousFailureCount: writer.member(member.name, question.previousFailureCount)
    case .failureResponse:
      writer.key(member.name)
      writeFailureResponse(to: &writer)
    case .error:
      writer.key(member.name)
      writeError(to: &writer)
    case .waiters:
      writer.key(member.name)
      writer.beginArray()
      for waiter in waiters { waiter.write(to: &writer) }
      writer.endArray()
    case .waiterCount: writer.member(member.name, waiterCount)
    case .deadline: writer.member(member.name, Timestamp.text(deadline))
    }
  }

  private func writeProposedCredential(to writer: inout JSONWriter) {
    guard let proposed = question.proposed else { return writer.null() }
    writer.beginObject()
    writer.member("user", proposed.user)
    writer.member("source", proposed.source.rawValue)
    writer.endObject()
  }

  private func writeError(to writer: inout JSONWriter) {
    if let fault = question.fault {
      writer.beginObject()
      writer.member("kind", fault.rawValue)
      return writer.endObject()
    }
    if let sourceFailure {
      writer.beginObject()
      writer.member("kind", "sourceFailed")
      writer.member("source", sourceFailure.name)
      writer.member("reason", sourceFailure.fault.rawValue)
      return writer.endObject()
    }
    if let confirmation = question.confirmation {
      writer.beginObject()
      writer.member("kind", "confirmUse")
      writer.key("process")
      if let process = confirmation.process { writer.integer(process) } else { writer.null() }
      return writer.endObject()
    }
    guard let weaker = question.weakerOffer else { return writer.null() }
    writer.beginObject()
    writer.member("kind", "weakerOffer")
    writer.key("previous")
    weaker.previous.write(to: &writer)
    writer.key("offered")
    weaker.offered.write(to: &writer)
    writer.endObject()
  }

  /// The fields of a refusal that carry the state of a session or login; never shown.
  package static let hiddenFields: Set<String> = [
    "set-cookie", "set-cookie2", "authentication-info", "proxy-authentication-info",
  ]

  private func writeFailureResponse(to writer: inout JSONWriter) {
    guard let response = question.failureResponse else { return writer.null() }
    writer.beginObject()
    writer.member("status", response.status)
    writer.key("headers")
    writer.headers(response.headers.filter { !Self.hiddenFields.contains($0.name.asciiLowercased) })
    writer.endObject()
  }
}

extension ProtectionSpace {
  /// The members that tell it from others: what `credential/set` and `credential/remove` take.
  package func writeIdentity(to writer: inout JSONWriter) {
    writer.beginObject()
    writeIdentityMembers(to: &writer)
    writer.endObject()
  }

  private func writeIdentityMembers(to writer: inout JSONWriter) {
    writer.member("protocol", protocolName)
    writer.member("host", origin.host)
    writer.member("port", Int(origin.port))
    if !isOfAnyRealm { writer.realm(realm) }
    writer.member("authenticationMethod", authenticationMethod.rawValue)
    writer.member("isProxy", isProxy)
    if let proxyType { writer.member("proxyType", proxyType.rawValue) }
  }

  /// All members of URLProtectionSpace, and the parameters of the offer.
  package func write(to writer: inout JSONWriter, offer: Offer? = nil, prompt: DevicePrompt? = nil) {
    writer.beginObject()
    writeIdentityMembers(to: &writer)
    if !isProxy {
      writer.key("proxyType")
      writer.null()
    }
    writer.member("receivesCredentialSecurely", origin.isSecure)
    writer.key("parameters")
    if let prompt { prompt.write(to: &writer) } else { writer.parameters(offer?.parameters ?? []) }
    writer.key("distinguishedNames")
    if let request = certificateRequest {
      writer.strings(request.issuers.map(\.text))
      writer.key("keyTypes")
      writer.strings(IdentityKeyType.allCases.filter(request.keyTypes.contains).map(\.rawValue))
    } else {
      writer.null()
    }
    writer.key("serverTrust")
    if let serverTrust { serverTrust.write(to: &writer) } else { writer.null() }
    writer.endObject()
  }
}

extension ChallengeDescription.Waiter {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("task", task)
    writer.member("pid", pid.map(Int64.init))
    writer.member("uid", Int(uid))
    writer.member("executable", executable)
    writer.endObject()
  }
}

extension DevicePrompt {
  /// In place of the server's parameters, whose names are in lower case: no server can write these.
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("verificationUri", verificationURI)
    writer.member("userCode", userCode)
    if let completeURI { writer.member("verificationUriComplete", completeURI) }
    writer.endObject()
  }
}

extension Offer {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("authenticationMethod", authenticationMethod.rawValue)
    writer.realm(realm)
    writer.key("parameters")
    writer.parameters(parameters)
    writer.endObject()
  }
}

extension OfferStrength {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("authenticationMethod", authenticationMethod.rawValue)
    writer.member("algorithm", algorithm?.rawValue)
    writer.endObject()
  }
}

extension JSONWriter {
  /// The first of several parameters with one name counts, as JSON allows one.
  fileprivate mutating func parameters(_ parameters: [AuthenticationParameter]) {
    beginObject()
    for (index, parameter) in parameters.enumerated()
    where !parameters[..<index].contains(where: { $0.name == parameter.name }) {
      key(escaping: parameter.name)
      string(parameter.value.text)
    }
    endObject()
  }
}
