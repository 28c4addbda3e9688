/// How wrong passphrases slow the next ones down.
package struct PassphraseAttempts: Sendable, Equatable {
  /// Since the last right one.
  private var wrong = 0

  package init() {}

  /// Seconds until the next passphrase is tried: a quarter of one after the first wrong passphrase, twice as many after
  /// each further one, 16 at most.
  package var delay: Double { wrong == 0 ? 0 : 0.25 * Double(1 << min(wrong - 1, 6)) }

  package mutating func note(isRight: Bool) { wrong = isRight ? 0 : min(wrong + 1, 7) }
}
