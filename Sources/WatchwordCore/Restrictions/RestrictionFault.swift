package import WatchwordVocabulary

/// Why a restricted connection may not do something.
package struct RestrictionFault: Error, Sendable, Equatable {
  /// Of two rules that refuse a request, the one that refuses it later in this order says why.
  package enum Reason: String, Sendable, CaseIterable, Comparable {
    /// The method of the protocol.
    case call
    /// A member of `fetch` that could change the server or the user of the request.
    case member
    case session
    case origin
    case path
    /// The method of HTTP.
    case method
    /// A header field that is for the rule to add.
    case field
    case requestBytes
    case rate
    case responseBytes
    case expired

    private var rank: Int { Reason.allCases.firstIndex(of: self) ?? 0 }

    package static func < (left: Reason, right: Reason) -> Bool { left.rank < right.rank }
  }

  package let reason: Reason
  /// Of the request that was refused; nil when it was refused before it was one.
  package let origin: Origin?
  /// For `rate`: when the next request is allowed.
  package let retrySeconds: Double?

  package init(_ reason: Reason, to origin: Origin? = nil, retrySeconds: Double? = nil) {
    self.reason = reason
    self.origin = origin
    self.retrySeconds = retrySeconds
  }
}
