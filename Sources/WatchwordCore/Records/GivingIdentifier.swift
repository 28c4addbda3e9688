/// One giving of a synchronizable credential: 128 random bits, the same on every host of a fleet.
///
/// Times and contents do not tell two givings apart: hosts give at the same moment, and the same password.
package struct GivingIdentifier: Sendable, Hashable, Comparable {
  private let high: UInt64
  private let low: UInt64

  /// In place of the one that only synchronizable credentials have.
  static let none = GivingIdentifier(high: 0, low: 0)

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  package static var random: GivingIdentifier {
    GivingIdentifier(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max))
  }

  /// 32 hexadecimal digits in lower case; nil for anything else.
  package init?(_ text: String) {
    guard text.utf8.count == 32, let high = UInt64(text.prefix(16), radix: 16),
      let low = UInt64(text.suffix(16), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
    guard self.text == text else { return nil }
  }

  package var text: String { Self.text(high) + Self.text(low) }

  private static func text(_ half: UInt64) -> String {
    let digits = String(half, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  package static func < (left: GivingIdentifier, right: GivingIdentifier) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

/// When a synchronizable credential was given, in an order that all hosts agree about.
package struct Giving: Sendable, Equatable, Comparable {
  /// Monotonic seconds.
  package let time: Double
  package let identifier: GivingIdentifier

  package init(time: Double, identifier: GivingIdentifier) {
    self.time = time
    self.identifier = identifier
  }

  package static func < (left: Giving, right: Giving) -> Bool {
    (left.time, left.identifier) < (right.time, right.identifier)
  }
}
