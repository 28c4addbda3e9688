package import WatchwordCore

/// `fetch` and `task/start`: one task, with all its retries and redirects.
package enum Fetch {
  package enum Body: Sendable, Equatable {
    case bytes([UInt8])
    /// The index of a descriptor that was sent with the message.
    case descriptor(Int)
  }

  package enum Output: Sendable, Equatable {
    case auto
    case inline
    case stream
    case discard
    case descriptor(Int, resumeIfRange: String?)
  }

  /// Where the response body goes, and what its bytes must hash to.
  package struct Delivery: Sendable {
    package var output = Output.auto
    package var digests: [ExpectedDigest] = []

    package init() {}
  }
}
