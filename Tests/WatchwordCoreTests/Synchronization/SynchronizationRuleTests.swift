import Testing
import WatchwordCore

/// Every state of a host beside every state of the store (storage.md 9.12).
@Suite struct SynchronizationRuleTests {
  typealias Rule = SynchronizationRule
  typealias Mark = SynchronizationMark

  private static func at(_ time: Double, _ identifier: UInt64 = 1) -> Giving {
    Giving(time: time, identifier: GivingIdentifier(high: 0, low: identifier))
  }

  private static func present(_ pending: Mark.Pending, version: Int64 = 5) -> Rule.Local {
    .present(Mark(version: version, pending: pending), given: at(100))
  }

  private static func push(_ version: Int64, _ pending: Mark.Pending) -> Rule.Agreement {
    .push(Mark(version: version, pending: pending))
  }

  private static let table: [(Rule.Local, Rule.Remote, Rule.Agreement)] = [
    // Nothing here.
    (.none, .absent, .nothing), (.none, .removed(version: 9), .nothing), (.none, .over(version: 9), .nothing),
    (.none, .present(version: 1, given: at(1), isSame: false), .take),
    // Known, and not changed here.
    (present(.nothing), .absent, push(5, .copy)),
    (present(.nothing), .removed(version: 6), .take), (present(.nothing), .over(version: 6), .take),
    (present(.nothing), .removed(version: 5), push(5, .copy)),
    (present(.nothing), .removed(version: 4), push(5, .copy)),
    (present(.nothing), .present(version: 6, given: at(1), isSame: false), .take),
    (present(.nothing), .present(version: 6, given: at(1), isSame: true), .take),
    (present(.nothing), .present(version: 5, given: at(100), isSame: true), .agree(version: 5)),
    (present(.nothing), .present(version: 4, given: at(99), isSame: false), push(5, .copy)),
    (present(.nothing), .present(version: 4, given: at(200), isSame: true), push(5, .copy)),
    (present(.nothing), .present(version: 4, given: at(200), isSame: false), .take),
    (present(.credential), .present(version: 4, given: at(200), isSame: false), .take),
    (present(.credential), .present(version: 4, given: at(99), isSame: false), push(5, .credential)),
    // The store was restored, and went another way.
    (present(.nothing), .present(version: 5, given: at(101), isSame: false), .take),
    (present(.nothing), .present(version: 5, given: at(99), isSame: false), push(5, .credential)),
    (present(.nothing), .present(version: 5, given: at(100), isSame: false), .take),
    (present(.nothing), .present(version: 4, given: at(100), isSame: false), push(5, .copy)),
    (present(.attributes), .present(version: 5, given: at(200), isSame: false), push(5, .attributes)),
    (present(.copy), .absent, push(5, .copy)),
    (present(.copy), .present(version: 5, given: at(100), isSame: true), .agree(version: 5)),
    (present(.copy), .present(version: 7, given: at(1), isSame: false), .take),
    // Its attributes have changed here.
    (present(.attributes), .absent, push(5, .attributes)),
    (present(.attributes), .present(version: 5, given: at(100), isSame: true), push(5, .attributes)),
    (present(.attributes), .present(version: 6, given: at(1), isSame: false), .take),
    (present(.attributes), .removed(version: 6), .take),
    (present(.attributes), .removed(version: 5), push(5, .attributes)),
    // It was given here.
    (present(.credential), .absent, push(5, .credential)),
    (present(.credential, version: 0), .absent, push(0, .credential)),
    (present(.credential), .present(version: 5, given: at(200), isSame: false), push(5, .credential)),
    (present(.credential), .present(version: 6, given: at(99), isSame: false), push(6, .credential)),
    (present(.credential), .present(version: 6, given: at(100), isSame: false), .take),
    (present(.credential), .present(version: 6, given: at(101), isSame: false), .take),
    (present(.credential), .present(version: 6, given: at(1), isSame: true), .take),
    (present(.credential), .present(version: 5, given: at(1), isSame: true), push(5, .credential)),
    (present(.credential), .removed(version: 9), push(9, .credential)),
    (present(.credential), .over(version: 9), push(9, .credential)),
    // At the same moment the identifiers decide, on every host alike.
    (
      .present(Mark(version: 5, pending: .credential), given: at(100, 1)),
      .present(version: 6, given: at(100, 2), isSame: false), .take
    ),
    (
      .present(Mark(version: 5, pending: .credential), given: at(100, 2)),
      .present(version: 6, given: at(100, 1), isSame: false), push(6, .credential)
    ),
    // It was removed here.
    (.removed(version: 5), .absent, push(5, .removal)),
    (.removed(version: 5), .present(version: 5, given: at(200), isSame: false), push(5, .removal)),
    (.removed(version: 5), .present(version: 6, given: at(1), isSame: false), .take),
    (.removed(version: 5), .present(version: 6, given: at(1), isSame: true), push(6, .removal)),
    (.removed(version: 5), .present(version: 4, given: at(1), isSame: true), push(5, .removal)),
    (.removed(version: 5), .removed(version: 6), .agree(version: 6)),
    (.removed(version: 5), .over(version: 2), .agree(version: 5)),
  ]

  @Test(arguments: 0..<table.count)
  func theOutcomeIsTheOneOfTheTable(row: Int) {
    let (local, remote, outcome) = Self.table[row]
    #expect(Rule.outcome(local, remote) == outcome, "\(local) beside \(remote)")
  }

  @Test(arguments: Mark.Pending.allCases)
  func eachChangeIsOneVersionMore(pending: Mark.Pending) {
    let isChange = pending != .nothing && pending != .copy
    #expect(Mark(version: 5, pending: pending).outgoingVersion == (isChange ? 6 : 5))
    #expect(Mark(version: 0, pending: pending).outgoingVersion == 1)
  }
}
