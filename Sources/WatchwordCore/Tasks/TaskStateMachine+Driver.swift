package import WatchwordSecret
package import WatchwordVocabulary

/// The values that a task and its driver exchange.
extension TaskStateMachine {
  /// One request, ready to send.
  package struct HopRequest: Sendable, Equatable {
    package let url: RequestURL
    package let method: String
    package let headers: [HeaderField]
    package let authorization: Secret?
    /// Whether the machine's `authorization` gives the value when the request is written to its connection.
    package let isAuthorizedLate: Bool
    package let sendsBody: Bool
    /// Nil: the exchange goes to the origin itself.
    package var proxy: ProxyHop?
    /// The content of a login form, which is posted instead of the task's request.
    package var form: Secret?
    /// What repetitions of the hop must change.
    package var repetition = Repetition()
    /// What its connection must be, when it carries a token or counts on one.
    package var binding: ConnectionBinding?
  }

  /// How often the request of one hop was sent again without a response, and what the repetitions must change.
  package struct Repetition: Sendable, Equatable {
    package var lostConnections = 0
    package var omitsExpect = false
    package var requiresNewConnection = false

    package var requiresHTTP1: Bool { lostConnections >= RepetitionRule.limitOverHTTP2 }
  }

  package struct RedirectRecord: Sendable, Equatable {
    package let status: Int
    package let from: RequestURL
    package let to: RequestURL
  }

  /// The head of a response that is not the result: of an origin's 401 that was answered, of a proxy's 407, or of its
  /// reply to CONNECT.
  package struct PassedHead: Sendable, Equatable {
    package let hop: Hop
    /// What the task wanted, also of a reply to CONNECT.
    package let url: RequestURL
    package let head: ResponseHead
  }

  /// Inputs from outside that the pure rules need for one event.
  package struct Context {
    package let task: TaskIdentifier
    package let now: Double
    package let wallClock: Double
    package let process: Int32?
    package let clientNonce: () -> String
    /// The request body for Digest `auth-int`.
    package let body: (DigestAlgorithm) -> DigestBody
    /// Whether a delegate can be asked; a refusal without a question streams to the output (challenges.md 4.5).
    package let canAsk: ChallengeBoard.CanAsk
    /// The transport's parser: resolves a `Location` against the URL that sent it.
    package let resolve: (String, RequestURL) -> RedirectTarget
    /// Which pages are login forms.
    package let forms: [FormRule]

    package init(
      task: TaskIdentifier, now: Double, wallClock: Double, process: Int32?,
      clientNonce: @escaping () -> String,
      body: @escaping (DigestAlgorithm) -> DigestBody,
      canAsk: @escaping ChallengeBoard.CanAsk,
      resolve: @escaping (String, RequestURL) -> RedirectTarget, forms: [FormRule] = []
    ) {
      self.task = task
      self.now = now
      self.wallClock = wallClock
      self.process = process
      self.clientNonce = clientNonce
      self.body = body
      self.canAsk = canAsk
      self.resolve = resolve
      self.forms = forms
    }
  }
}
