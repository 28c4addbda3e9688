import Testing

@testable import WatchwordCore

/// The order of givings, about which all hosts of a fleet agree (storage.md 9.12).
struct GivingTests {
  @Test(arguments: [
    ("00000000000000010000000000000002", true), ("ffffffffffffffffffffffffffffffff", true),
    ("FFFFFFFFFFFFFFFFffffffffffffffff", false), ("0000000000000001000000000000000", false),
    ("000000000000000100000000000000022", false), ("+000000000000001000000000000000a", false),
    ("0000000000000001000000000000000g", false), ("", false),
  ])
  func anIdentifierIsThirtyTwoDigits(_ text: String, _ isOne: Bool) {
    #expect(GivingIdentifier(text)?.text == (isOne ? text : nil))
  }

  @Test func identifiersAreOrderedByTheirNumber() {
    let ordered = [(0, 1), (0, 2), (1, 0), (1, 1), (2, 0)].map { GivingIdentifier(high: $0.0, low: $0.1) }
    for (index, left) in ordered.enumerated() {
      for (other, right) in ordered.enumerated() { #expect((left < right) == (index < other)) }
    }
  }

  @Test func givingsAreOrderedByTimeAndThenByIdentifier() {
    let (one, two) = (GivingIdentifier(high: 0, low: 1), GivingIdentifier(high: 0, low: 2))
    let ordered = [
      Giving(time: 1, identifier: two), Giving(time: 2, identifier: one), Giving(time: 2, identifier: two),
      Giving(time: 3, identifier: one),
    ]
    for (index, left) in ordered.enumerated() {
      for (other, right) in ordered.enumerated() {
        #expect((left < right) == (index < other), "\(left) \(right)")
      }
    }
  }
}
