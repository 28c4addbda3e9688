internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

extension TaskDriver {
  /// What a task has beside its request: the ends of its bodies, with the descriptors taken over, and what
  /// the caller wants to know.
  struct Order {
    let name: String
    let body: RequestBody
    let resourceSeconds: Double
    /// Whether its cookies are its own, and not those of the session.
    let hasOwnCookies: Bool
    /// Whether the result has the metrics.
    let reportsMetrics: Bool
    let output: any TaskOutput
    /// What the bytes for the output have to hash to, if the caller says so.
    var digests: [ExpectedDigest] = []
    /// Of what is kept of the request and of the reply.
    let charge: MemoryCharge
  }

  /// What the caller is told while the task runs; each is optional. They are given the task, which retains
  /// them.
  @ReactorActor
  struct Observers {
    var response: ((TaskDriver, ResponseHead, RequestURL) -> Void)?
    var redirect: ((TaskDriver, TaskStateMachine.RedirectRecord, ResponseHead?) -> Void)?
    var passed: ((TaskDriver, TaskStateMachine.PassedHead) -> Void)?
    var sentBody: ((Int64, Int64?) -> Void)?
    var willRedirect: ((TaskDriver, RequestStep, ResponseHead) -> Void)?
  }
}

extension RedirectTarget {
  /// A `Location` against the URL that sent it, through the transport's parser.
  init(_ location: String, _ base: RequestURL) {
    do throws(URLFault) {
      self = .resolved(try URLParser.resolve(location: location, against: base))
    } catch {
      self = error == .unsupportedScheme ? .unsupportedScheme : .malformed
    }
  }
}
