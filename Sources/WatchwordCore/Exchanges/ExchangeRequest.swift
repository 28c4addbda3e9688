internal import WatchwordPrimitives
package import WatchwordSecret
package import WatchwordVocabulary

/// One HTTP request, ready to send: only what the transport needs.
///
/// A reference, because every step of an exchange reads it. It does not change after the exchange has started.
package final class ExchangeRequest {
  package var url: RequestURL
  package var method: String
  /// In the order in which they are sent; without the fields below.
  package var headers: [HeaderField]
  /// The whole value of `Authorization`, sent on this exchange only.
  package var authorization: Secret?
  /// Whether the delegate is asked for that value instead, when the request is written to its connection.
  package var isAuthorizedLate = false
  package var body: ExchangeBody
  package let settings: ExchangeSettings
  /// Nil: the origin is connected to itself.
  package var proxy: ProxyHop?
  /// Which connections may be used.
  package var partition = ConnectionPartition.common
  /// Whether a delegate takes the question which client certificate to present.
  package var isAskedForIdentities = false
  /// Whether HTTP/2 is excluded for this exchange.
  package var requiresHTTP1 = false
  /// Whether a stream is sent without waiting for `100 Continue`: the server has refused `Expect` (RFC 9110 §10.1.1).
  package var omitsExpect = false
  /// Whether it needs a new connection: the server said that the last one is not for this origin (RFC 9110 §7.4).
  package var requiresNewConnection = false
  /// Whether it needs the connection of the exchange before.
  package var requiresReuse = false
  /// The server that a token is for, as in ``ResponseHead/serverEndPoint``; empty: any.
  package var serverEndPoint: [UInt8] = []

  package init(
    url: RequestURL, method: String, headers: [HeaderField], authorization: Secret?, body: ExchangeBody,
    settings: ExchangeSettings
  ) {
    self.url = url
    self.method = method
    self.headers = headers
    self.authorization = authorization
    self.body = body
    self.settings = settings
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
  /// Names of fields, in lower case, whose values the details hide beside those of ``SensitiveFields``; nil: no details
  /// are wanted.
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

/// Timing of one exchange: seconds from its start to the end of each phase, 0 for phases that an earlier exchange of
/// its connection completed.
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

extension HeaderField {
  /// Bytes that it takes.
  package var heldBytes: Int { HeldBytes.text(name.utf8.count + valueByteCount) }
}

extension ResponseHead {
  /// Bytes that it takes.
  package var heldBytes: Int { headers.reduce(details?.heldBytes ?? 0) { $0 + $1.heldBytes } }
}
