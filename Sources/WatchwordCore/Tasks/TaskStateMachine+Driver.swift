package import WatchwordVocabulary

/// The values that a task and its driver exchange.
extension TaskStateMachine {
  package struct RedirectRecord: Sendable, Equatable {
    package let status: Int
    package let from: RequestURL
    package let to: RequestURL
  }

  /// The head of a response that is not the result: of an origin's 401 that was answered, of a proxy's 407,
  /// or of its reply to CONNECT.
  package struct PassedHead: Sendable, Equatable {
    package let hop: Hop
    /// What the task wanted, also of a reply to CONNECT.
    package let url: RequestURL
    package let head: ResponseHead
  }

  /// Inputs from outside that the pure rules need for one event.
  package struct Context {
    package let surroundings: Surroundings
    package let now: Double
    package let wallClock: Double
    /// The session's.
    package let memory: SessionMemory

    package init(
      _ surroundings: Surroundings, now: Double, wallClock: Double, memory: SessionMemory
    ) {
      self.surroundings = surroundings
      self.now = now
      self.wallClock = wallClock
      self.memory = memory
    }

    var task: TaskIdentifier { surroundings.task }
    var process: ProcessIdentifier? { surroundings.process }
    var canAsk: ChallengeBoard.CanAsk { surroundings.canAsk }
    var body: (DigestAlgorithm) -> DigestBody { surroundings.body }
    var resolve: (String, RequestURL) -> RedirectTarget { surroundings.resolve }
    var forms: [FormRule] { surroundings.forms }
  }

  /// Those of the inputs that stay the same for every event of the task.
  package final class Surroundings {
    package let task: TaskIdentifier
    package let process: ProcessIdentifier?
    /// Whether a delegate can be asked; a refusal without a question streams to the output (challenges.md
    /// 4.5).
    package let canAsk: ChallengeBoard.CanAsk
    /// The request body for Digest `auth-int`.
    package let body: (DigestAlgorithm) -> DigestBody
    /// The transport's parser: resolves a `Location` against the URL that sent it.
    package let resolve: (String, RequestURL) -> RedirectTarget
    /// Which pages are login forms.
    package let forms: [FormRule]

    package init(
      task: TaskIdentifier, process: ProcessIdentifier?, canAsk: @escaping ChallengeBoard.CanAsk,
      body: @escaping (DigestAlgorithm) -> DigestBody,
      resolve: @escaping (String, RequestURL) -> RedirectTarget, forms: [FormRule] = []
    ) {
      self.task = task
      self.process = process
      self.canAsk = canAsk
      self.body = body
      self.resolve = resolve
      self.forms = forms
    }
  }
}

/// What happens to a task.
package enum TaskEvent: Sendable {
  case begin
  /// The body that was asked for has been hashed, or cannot be.
  case bodyRead
  /// A token was made, or the server's last one verified.
  case negotiated(NegotiationOutcome)
  /// The task may send to its space now.
  case turnCame
  /// The request that waited for a connection has been taken back.
  case takenBack
  /// The proxy has opened a tunnel with this response; nil from SOCKS.
  case tunnelOpened(ResponseHead?)
  case received(ResponseHead)
  /// What a parser has found in the beginning of the response's page.
  case pageRead(PageReading)
  /// Nil when the exchange ended well. The body is the response's by `responseHash`, before any content
  /// coding was taken off.
  case exchangeEnded(TransportError?, body: DigestBody)
  /// The board's word on the question that was asked.
  case answered(ChallengeVerdict)
  /// The caller's word on a redirect that it was asked about: the step to make, or nil to stop.
  case redirectAnswered(RequestStep?)
  /// The agent is unlocked (storage.md 9.11.4).
  case unlocked
}

/// What the machine of a task wants done.
extension TaskStateMachine {
  /// What the session does for the task.
  package enum Effect: Sendable {
    case send(ExchangeRequest)
    indirect case ask(ChallengeQuestion)
    case report(AuthenticationStateMachine.TrialReport)
    /// Write a warning to the log.
    case warn(WeakerOffer)
    /// Write to the log that the task has made exchanges without progress.
    case warnOfExchanges
    /// For the driver.
    case task(TaskEffect)
    case finish(TaskFailure?)
  }

  /// What happens to the body of the response whose head has just arrived.
  package enum BodyFate: Sendable, Equatable {
    /// To the task's output.
    case deliver
    /// Kept aside as far as there is room: the response may become the result.
    case hold
    case discard
    /// Waits for another one: the head is being verified, or what follows from it has not been carried out
    /// yet.
    case wait
    /// Kept aside until a parser has said what its beginning is; then `pageRead`.
    indirect case read(PageQuestion)

    /// Whether the bytes that have arrived wait for another fate.
    package var isDecidedLater: Bool {
      switch self {
      case .wait, .read: true
      case .deliver, .hold, .discard: false
      }
    }
  }
}

/// What the driver of a task does.
package enum TaskEffect: Sendable, Equatable {
  /// Read and hash the request's body, then say `bodyRead`.
  case readBody
  /// Take the server's token and make the next one off the loop, then say `negotiated`.
  indirect case negotiate(NegotiationStep)
  /// What happens to the body of the response whose head has just arrived.
  case body(TaskStateMachine.BodyFate)
  /// Nothing more comes: read what there is of the page, then say `pageRead`.
  case readPage
  /// If the request has no connection yet, cancel its exchange and say `takenBack`.
  case takeBack
  /// It waits for an answer from now on: its time limit does not run.
  case beginWait
  case endWait
  case askRedirect(RequestStep, response: ResponseHead)
  case redirected(TaskStateMachine.RedirectRecord, response: ResponseHead?)
  case passed(TaskStateMachine.PassedHead)
  /// The refusal or redirect whose body is held is the result; `isWhole` is false when its time limit has cut
  /// it.
  case deliverHeld(isWhole: Bool)
  case finish(TaskFailure?)
  /// End it, whatever it is doing, and without waiting for its output.
  case stop(TaskFailure)
}
