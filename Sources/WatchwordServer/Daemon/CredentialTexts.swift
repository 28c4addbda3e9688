internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// Credentials as lists show them, described one by one: there may be thousands.
///
/// Between two of them only their keys are kept. A credential that is removed meanwhile, or forgotten by a lock, is not
/// held any longer for its description, and is left out.
@ReactorActor
struct CredentialTexts {
  private(set) var texts: [Encoded<Sent.StoredCredential>] = []
  private var rest: ArraySlice<CredentialCache.Key> = []
  private let now = EventLoop.shared.now
  private let wallClock = Clock.wallSeconds()
  private let find: @ReactorActor (CredentialCache.Key) -> CachedCredential?
  private let source: (CachedCredential) -> ProposedCredential.Source

  /// None.
  init() {
    find = { _ in nil }
    source = { _ in .session }
  }

  /// What the session keeps: its own and the copies of permanent ones.
  ///
  /// - Parameter isOwn: only its own.
  init(keptIn session: Session, isOwn: Bool = false) {
    session.settle()
    rest = session.state.credentials.keys[...]
    find = { key in
      session.settle()
      return session.state.credentials.held(at: key).flatMap { isOwn && $0.permanentNumber != nil ? nil : $0 }
    }
    source = { _ in .session }
  }

  /// The permanent ones of the account.
  init(permanentIn account: VaultAccount) {
    rest = account.credentials.keysInOrder[...]
    find = { account.credentials.entry($0) }
    source = { .init(ofRecord: $0) }
  }

  /// False when all are described.
  mutating func describeNext() -> Bool {
    guard let key = rest.popFirst() else { return false }
    guard let entry = find(key) else { return true }
    let description = CredentialDescription(
      entry, source: source(entry), now: now, wallClock: wallClock)
    texts.append(.text(JSONWriter.text { description.write(to: &$0) }))
    return true
  }
}
