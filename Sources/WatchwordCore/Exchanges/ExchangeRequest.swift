package import WatchwordVocabulary

/// One HTTP request, ready to send, as the machine of its task makes it.
///
/// A reference, because the machine and the transport keep it.
package final class ExchangeRequest: Sendable, Equatable {
  package let url: RequestURL
  package let method: String
  /// In the order in which they are sent; without the fields below.
  package let headers: [HeaderField]
  /// The whole value of `Authorization`, sent on this exchange only.
  package let authorization: Secret?
  /// Whether the delegate is asked for that value instead, when the request is written to its connection.
  package let isAuthorizedLate: Bool
  /// Whether it has the body of the task.
  package let sendsBody: Bool
  /// Nil: the origin is connected to itself.
  package let proxy: ProxyHop?
  /// The content of a login form, which is posted instead of the task's request.
  package let form: Secret?
  /// What repetitions of the step must change.
  package let repetition: Repetition
  /// What its connection must be, when it carries a token or counts on one.
  package let binding: ConnectionBinding?

  package init(
    url: RequestURL, method: String, headers: [HeaderField], authorization: Secret? = nil,
    isAuthorizedLate: Bool = false, sendsBody: Bool = false, proxy: ProxyHop?, form: Secret? = nil,
    repetition: Repetition = Repetition(), binding: ConnectionBinding? = nil
  ) {
    self.url = url
    self.method = method
    self.headers = headers
    self.authorization = authorization
    self.isAuthorizedLate = isAuthorizedLate
    self.sendsBody = sendsBody
    self.proxy = proxy
    self.form = form
    self.repetition = repetition
    self.binding = binding
  }

  func with(_ repetition: Repetition) -> ExchangeRequest {
    ExchangeRequest(
      url: url, method: method, headers: headers, authorization: authorization,
      isAuthorizedLate: isAuthorizedLate, sendsBody: sendsBody, proxy: proxy, form: form,
      repetition: repetition, binding: binding)
  }

  package static func == (left: ExchangeRequest, right: ExchangeRequest) -> Bool {
    left.url == right.url && left.method == right.method && left.headers == right.headers
      && left.authorization == right.authorization && left.isAuthorizedLate == right.isAuthorizedLate
      && left.sendsBody == right.sendsBody && left.proxy == right.proxy && left.form == right.form
      && left.repetition == right.repetition && left.binding == right.binding
  }
}

/// What the connection of a request must be.
package struct ConnectionBinding: Sendable, Equatable {
  /// The connection of the exchange before.
  package var requiresReuse = false
  /// A server with this certificate; empty: any.
  package var serverEndPoint: [UInt8] = []
  /// The request goes without its body: the server is going to refuse it.
  package var omitsBody = false
}

/// What an exchange needs beside its request.
package struct ExchangeSetup {
  package var body: ExchangeBody
  package let settings: ExchangeSettings
  /// Which connections may be used.
  package var partition: ConnectionPartition
  /// Whether a delegate takes the question which client certificate to present.
  package let isAskedForIdentities: Bool

  package init(
    body: ExchangeBody, settings: ExchangeSettings, partition: ConnectionPartition = .common,
    isAskedForIdentities: Bool = false
  ) {
    self.body = body
    self.settings = settings
    self.partition = partition
    self.isAskedForIdentities = isAskedForIdentities
  }
}

/// How exchanges are made, whatever they ask for: all exchanges of a task have the same.
package struct ExchangeSettings: Sendable {
  package var timeouts: ExchangeTimeouts
  /// Whether gzip, br, zstd and deflate are requested and decoded.
  package var decodesContent: Bool
  /// From 0 to 1: of the exchanges that wait for a connection to one origin, the highest is sent first.
  package var priority = 0.5
  /// Of the bodies, in each direction; nil: no limit.
  package var maximumBytesPerSecond: Int64?
  /// Names of fields, in lower case, whose values the details hide beside those of ``SensitiveFields``; nil:
  /// no details are wanted.
  package var detailsHiding: Set<String>?

  package init(timeouts: ExchangeTimeouts = ExchangeTimeouts(), decodesContent: Bool = true) {
    self.timeouts = timeouts
    self.decodesContent = decodesContent
  }
}

/// The source of a request body.
package enum ExchangeBody: Sendable {
  case none
  case bytes([UInt8])
  case secret(Secret)
  /// A regular file, read with pread from `offset`; `length` bytes.
  case file(descriptor: Int32, offset: Int64, length: Int64)
  /// A pipe or socket: read once, as data arrives, without blocking, with `Expect: 100-continue`.
  case stream(descriptor: Int32)
}

/// Seconds; nil means no limit. They do not run while the exchange is paused.
package struct ExchangeTimeouts: Sendable, Equatable {
  package var connectSeconds: Double?
  /// Longest time without a byte in either direction.
  package var requestSeconds: Double?

  package init(connectSeconds: Double? = 30, requestSeconds: Double? = 60) {
    self.connectSeconds = connectSeconds
    self.requestSeconds = requestSeconds
  }
}

/// Timing of one exchange: seconds from its start to the end of each phase, 0 for phases that an earlier
/// exchange of its connection completed.
package struct ExchangeMetrics: Sendable, Equatable {
  package var nameLookupSeconds = 0.0
  package var connectSeconds = 0.0
  package var tlsSeconds = 0.0
  package var firstByteSeconds = 0.0
  package var totalSeconds = 0.0
  package var bytesSent: Int64 = 0
  package var bytesReceived: Int64 = 0
  /// `http/1.0`, `http/1.1` or `h2`.
  package var networkProtocol = ""
  package var isReused = false
  /// Where they are wanted.
  package var details: ExchangeDetails?

  package init() {}
}

extension ResponseHead {
  /// Bytes that it takes.
  package var heldBytes: Int { headers.heldBytes + (details?.heldBytes ?? 0) }
}

/// How fast bytes may pass in one direction: the next piece goes when those before it have taken their time.
package struct SpeedLimit: Sendable {
  package let bytesPerSecond: Int64
  /// When the next piece may go.
  private var due = -Double.infinity

  package init(bytesPerSecond: Int64) { self.bytesPerSecond = bytesPerSecond }

  /// How long the next piece has to wait; nil when it may go.
  package func seconds(at now: Double) -> Double? { due > now ? due - now : nil }

  /// A piece has gone. The time in which nothing went is not made up for.
  package mutating func note(_ count: Int, at now: Double) {
    due = max(due, now) + Double(count) / Double(bytesPerSecond)
  }

  /// How large a piece should be, so that it goes about once a second and fits into a buffer.
  package func pieceBytes(atMost buffer: Int) -> Int { Int(min(bytesPerSecond, Int64(buffer))) }
}
