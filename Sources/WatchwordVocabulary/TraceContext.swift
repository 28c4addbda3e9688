/// The place of a request in a distributed trace: the field `traceparent` (W3C Trace Context, section 3.2).
/// It names no person and is no secret.
package struct TraceContext: Sendable, Equatable {
  package static let fieldName = "traceparent"

  private let version: UInt8
  /// The upper and the lower half.
  private let trace: (UInt64, UInt64)
  private let parent: UInt64
  private let flags: UInt8

  /// Nil for what is no `traceparent` of 55 bytes: four numbers in lower-case hexadecimal digits, of which
  /// the version is not `ff` and the two identifiers are not zero.
  package init?(_ text: some StringProtocol) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.map(\.count) == [2, 32, 16, 2],
      let version = Self.number(parts[0]), let upper = Self.number(parts[1].prefix(16)),
      let lower = Self.number(parts[1].suffix(16)), let parent = Self.number(parts[2]),
      let flags = Self.number(parts[3]), version != 0xFF, upper != 0 || lower != 0, parent != 0
    else { return nil }
    self.version = UInt8(truncatingIfNeeded: version)
    trace = (upper, lower)
    self.parent = parent
    self.flags = UInt8(truncatingIfNeeded: flags)
  }

  package static func == (one: TraceContext, other: TraceContext) -> Bool {
    one.version == other.version && one.trace == other.trace && one.parent == other.parent
      && one.flags == other.flags
  }

  package var text: String {
    [
      Self.digits(UInt64(version), 2), Self.digits(trace.0, 16) + Self.digits(trace.1, 16),
      Self.digits(parent, 16), Self.digits(UInt64(flags), 2),
    ].joined(separator: "-")
  }

  private static func number(_ digits: some Collection<UInt8>) -> UInt64? {
    var number: UInt64 = 0
    for digit in digits {
      let value: UInt8? =
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
      guard let value else { return nil }
      number = number << 4 | UInt64(value)
    }
    return number
  }

  private static func digits(_ number: UInt64, _ count: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: count - digits.count) + digits
  }
}
