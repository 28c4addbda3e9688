internal import WatchwordCore
internal import WatchwordVocabulary

/// The tokens of a server that speaks Negotiate or NTLM, as far as the daemon looks into them. A response a line: a byte
/// for its status, one for what GSSAPI makes of its token, and `WWW-Authenticate` fields, separated by NUL.
enum NegotiationTarget {
  private static let statuses = [401, 401, 401, 200, 500, 302, 403, 407]
  private static let outcomes: [NegotiationOutcome] = [
    .token(Secret("token".utf8), isComplete: false), .token(Secret("token".utf8), isComplete: true),
    .established(.kerberos), .established(.ntlm), .failed(.tokenRefused), .failed(.ticketMissing),
    .failed(.credentialRefused), .failed(.timedOut),
  ]

  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    var policy = MethodPolicy()
    policy.disabled = []
    var task = TaskUnderTest(scheme: .http, policy: policy)
    task.begin()
    for line in InputReader(input).parts(separatedBy: UInt8(ascii: "\n")) {
      var reader = InputReader(line)
      let status = statuses[reader.choice(statuses.count)]
      let outcome = outcomes[reader.choice(outcomes.count)]
      let fields = reader.parts(separatedBy: 0).map { HeaderField("WWW-Authenticate", octets: $0) }
      task.respond(ResponseHead(status: status, headers: fields))
      task.answer(.tryCredential(Credential(.password(user: "reader", password: Secret("x".utf8)))))
      task.negotiated(outcome)
    }
    for input in task.steps.compactMap(\.input) {
      require(input.utf8.count <= 65_536, "a token without bound")
    }
    require(task.steps.count <= 256, "a negotiation without end")
  }
}
