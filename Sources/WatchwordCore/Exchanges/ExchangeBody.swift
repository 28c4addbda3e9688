package import WatchwordSecret

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
