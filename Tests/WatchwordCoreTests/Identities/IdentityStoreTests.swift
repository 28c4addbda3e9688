import Testing
import WatchwordCore
import WatchwordVocabulary

@Suite struct IdentityStoreTests {
  private let origin = Origin(scheme: .https, host: "a.test", port: 443)
  private let other = Origin(scheme: .https, host: "b.test", port: 443)
  private let now = 1000.0

  private func ruling(
    _ ledger: inout IdentityStore, _ request: CertificateRequest, from origin: Origin? = nil,
    isAsked: Bool = true
  ) -> IdentityStore.Ruling {
    ledger.ruling(on: request, from: origin ?? self.origin, isAsked: isAsked, now: 1, wallClock: now)
  }

  private func add(
    _ identity: Identity, _ limits: CredentialLimits = CredentialLimits(), for origin: Origin? = nil,
    to ledger: inout IdentityStore
  ) -> Bool {
    ledger.add(identity, for: origin, limits: limits, now: 0)
  }

  private func remove(_ identifier: String, from ledger: inout IdentityStore) -> Bool {
    ledger.remove(identifier)
  }

  @Test func withoutADelegateTheIdentityThatWasAddedLastOfThoseThatFitIsPresented() {
    var ledger = IdentityStore()
    #expect(ruling(&ledger, .of("Staff"), isAsked: false) == .presentNone)
    let staff = Identity.of("staff", issuers: ["Staff"])
    let newer = Identity.of("newer", issuers: ["Sub", "Staff"])
    let guest = Identity.of("guest", issuers: ["Guests"])
    for identity in [staff, newer, guest] { #expect(add(identity, to: &ledger)) }
    #expect(ruling(&ledger, .of("Staff"), isAsked: false) == .present(newer))
    #expect(ruling(&ledger, .of("Others", "Guests"), isAsked: false) == .present(guest))
    #expect(ruling(&ledger, .of("Others"), isAsked: false) == .presentNone)
    #expect(ruling(&ledger, .of(), isAsked: false) == .present(guest))
    // Added again, it is the last one.
    #expect(add(staff, to: &ledger))
    #expect(ruling(&ledger, .of("Staff"), isAsked: false) == .present(staff))
    #expect(ledger.count == 3)
  }

  @Test func defaultHandlingLeavesOutWhatTheServerCannotTake() {
    var ledger = IdentityStore()
    let rsa = Identity.of("rsa", issuers: ["Staff"], keyType: .rsa)
    #expect(add(rsa, to: &ledger))
    #expect(add(Identity.of("expired", issuers: ["Staff"], notAfter: now - 1), to: &ledger))
    #expect(add(Identity.of("early", issuers: ["Staff"], notBefore: now + 1), to: &ledger))
    #expect(add(Identity.of("ed", issuers: ["Staff"], keyType: .ed25519), to: &ledger))
    #expect(ruling(&ledger, .of("Staff", keyTypes: [.rsa, .ec]), isAsked: false) == .present(rsa))
    #expect(ruling(&ledger, .of("Staff", keyTypes: []), isAsked: false) == .presentNone)
  }

  @Test func identityOfAnAnswerIsForItsOriginOnly() {
    var ledger = IdentityStore()
    let mine = Identity.of("mine", issuers: ["Staff"])
    #expect(add(mine, for: origin, to: &ledger))
    #expect(ruling(&ledger, .of("Staff"), isAsked: false) == .present(mine))
    #expect(ruling(&ledger, .of("Staff"), from: other, isAsked: false) == .presentNone)
    // A caller adds it to the session.
    #expect(add(mine, to: &ledger))
    #expect(ruling(&ledger, .of("Staff"), from: other, isAsked: false) == .present(mine))
    // A later answer takes nothing away.
    #expect(add(mine, for: origin, to: &ledger))
    #expect(ruling(&ledger, .of("Staff"), from: other, isAsked: false) == .present(mine))
  }

  @Test func decisionHoldsForItsOriginAndIssuers() {
    var ledger = IdentityStore()
    let mine = Identity.of("mine", issuers: ["Staff"])
    #expect(add(mine, to: &ledger))
    #expect(ruling(&ledger, .of("Guests")) == .ask)
    ledger.decide(.identity(mine.identifier), for: .of("Guests"), from: origin)
    // The decision counts more than the list.
    #expect(ruling(&ledger, .of("Guests")) == .present(mine))
    #expect(ruling(&ledger, .of("Guests"), isAsked: false) == .present(mine))
    #expect(ruling(&ledger, .of("Guests"), from: other) == .ask)
    #expect(ruling(&ledger, .of("Guests", "Staff")) == .ask)
    ledger.decide(.none, for: .of("Guests"), from: origin)
    #expect(ruling(&ledger, .of("Guests")) == .presentNone)
    ledger.decide(.default, for: .of("Guests"), from: origin)
    #expect(ruling(&ledger, .of("Guests")) == .presentNone)
    ledger.decide(.default, for: .of("Staff"), from: origin)
    #expect(ruling(&ledger, .of("Staff")) == .present(mine))
    #expect(ledger.decisionCount == 2)
  }

  @Test func removedIdentityIsNotPresentedAndIsAskedAboutAgain() {
    var ledger = IdentityStore()
    let mine = Identity.of("mine", issuers: ["Staff"])
    #expect(add(mine, to: &ledger))
    ledger.decide(.identity(mine.identifier), for: .of("Staff"), from: origin)
    ledger.decide(.none, for: .of("Staff"), from: other)
    #expect(remove(mine.identifier, from: &ledger))
    #expect(!remove(mine.identifier, from: &ledger))
    #expect(ruling(&ledger, .of("Staff")) == .ask)
    #expect(ruling(&ledger, .of("Staff"), from: other) == .presentNone)
    #expect(ledger.decisionCount == 1)
    ledger.removeAll()
    #expect(ruling(&ledger, .of("Staff"), from: other) == .ask)
  }

  @Test func decidedIdentityThatHasExpiredIsAskedAboutAgain() {
    var ledger = IdentityStore()
    let mine = Identity.of("mine", issuers: ["Staff"], notAfter: now)
    #expect(add(mine, to: &ledger))
    ledger.decide(.identity(mine.identifier), for: .of("Staff"), from: origin)
    #expect(ruling(&ledger, .of("Staff")) == .present(mine))
    let later = ledger.ruling(on: .of("Staff"), from: origin, isAsked: true, now: 1, wallClock: now + 1)
    #expect(later == .ask)
  }

  @Test func bothListsAreBounded() {
    var ledger = IdentityStore()
    for index in 0..<IdentityStore.capacity { #expect(add(.of("\(index)", issuers: []), to: &ledger)) }
    #expect(!add(.of("one more", issuers: []), to: &ledger))
    #expect(add(.of("0", issuers: []), to: &ledger))
    #expect(ledger.count == IdentityStore.capacity)
    for index in 0...IdentityStore.decisionCapacity {
      ledger.decide(.none, for: .of("\(index)"), from: index.isMultiple(of: 2) ? origin : other)
    }
    #expect(ledger.decisionCount == IdentityStore.decisionCapacity)
    #expect(ledger.decision(for: .of("0"), from: origin) == nil)
    #expect(ledger.decision(for: .of("1"), from: other) != nil)
  }

  @Test func usesAreCounted() {
    var ledger = IdentityStore()
    let mine = Identity.of("mine", issuers: ["Staff"])
    #expect(add(mine, to: &ledger))
    _ = ruling(&ledger, .of("Staff"), isAsked: false)
    _ = ruling(&ledger, .of("Others"), isAsked: false)
    #expect(ledger.entry(mine.identifier)?.record.uses == 1)
    #expect(ledger.entry(mine.identifier)?.record.lastUsed == 1)
  }

  @Test func limitsEndAnIdentity() {
    let mine = Identity.of("mine", issuers: ["Staff"])
    func isPresented(_ limits: (inout CredentialLimits) -> Void, uses: Int, at time: Double) -> Bool {
      var ledger = IdentityStore()
      var given = CredentialLimits()
      limits(&given)
      #expect(add(mine, given, to: &ledger))
      ledger.decide(.identity(mine.identifier), for: .of("Staff"), from: origin)
      for _ in 0..<uses { #expect(ruling(&ledger, .of("Staff")) == .present(mine)) }
      let decided = ledger.ruling(
        on: .of("Staff"), from: origin, isAsked: true, now: time, wallClock: now + time)
      let isUsable = !ledger.usable(at: origin, now: time, wallClock: now + time).isEmpty
      let isListed = ledger.over(now: time, wallClock: now + time).isEmpty
      if uses == 0 || decided == .ask { #expect(isUsable == isListed) }
      return decided == .present(mine)
    }
    #expect(isPresented({ $0.lifetimeSeconds = 60 }, uses: 1, at: 59))
    #expect(!isPresented({ $0.lifetimeSeconds = 60 }, uses: 1, at: 60))
    // The last use was at 1.
    #expect(isPresented({ $0.idleSeconds = 60 }, uses: 1, at: 60))
    #expect(!isPresented({ $0.idleSeconds = 60 }, uses: 1, at: 61))
    #expect(!isPresented({ $0.idleSeconds = 60 }, uses: 0, at: 60))
    #expect(isPresented({ $0.notAfter = now + 60 }, uses: 0, at: 59))
    #expect(!isPresented({ $0.notAfter = now + 60 }, uses: 0, at: 60))
    #expect(isPresented({ $0.maximumUses = 2 }, uses: 1, at: 1))
    #expect(!isPresented({ $0.maximumUses = 2 }, uses: 2, at: 1))
  }

  @Test func whatIsOverIsNotChosen() {
    var ledger = IdentityStore()
    let older = Identity.of("older", issuers: ["Staff"])
    let once = Identity.of("once", issuers: ["Staff"])
    var limits = CredentialLimits()
    limits.maximumUses = 1
    #expect(add(older, to: &ledger))
    #expect(add(once, limits, to: &ledger))
    #expect(ledger.fitting(.of("Staff"), from: origin, now: 1, wallClock: now) == [once, older])
    #expect(ruling(&ledger, .of("Staff"), isAsked: false) == .present(once))
    #expect(ruling(&ledger, .of("Staff"), isAsked: false) == .present(older))
    #expect(ledger.over(now: 1, wallClock: now) == [once.identifier])
    // Given again, it counts again.
    #expect(add(once, limits, to: &ledger))
    #expect(ledger.over(now: 1, wallClock: now).isEmpty)
  }
}
