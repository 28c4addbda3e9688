internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// Pending challenges as a list shows them, described one by one: there may be hundreds, each with
/// certificates.
///
/// Between two of them only their ids are kept. One that is settled before the list is sent is left out.
@ReactorActor
struct ChallengeTexts {
  private struct Described {
    let session: SessionDriver
    let challenge: String
    let text: Encoded<Sent.Challenge>
  }

  private let daemon: Daemon
  private let peer: Peer
  private var sessions: ArraySlice<SessionDriver>
  /// Of the first session.
  private var rest: ArraySlice<String>?
  private var described: [Described] = []

  /// Those in these sessions that concern the peer.
  init(in sessions: [SessionDriver], for peer: Peer, of daemon: Daemon) {
    self.daemon = daemon
    self.peer = peer
    self.sessions = sessions[...]
  }

  /// False when all are described.
  mutating func describeNext() -> Bool {
    guard let session = sessions.first else { return false }
    var left = rest ?? session.challenges(for: peer).map(\.identifier)[...]
    if let identifier = left.popFirst(), let challenge = session.challenge(identifier, for: peer) {
      let description = daemon.describe(challenge, in: session, for: peer)
      described.append(
        Described(
          session: session, challenge: identifier, text: .text(JSONWriter.text(description.write))))
    }
    rest = left
    if left.isEmpty {
      rest = nil
      sessions.removeFirst()
    }
    return true
  }

  /// Without those that have been settled.
  var texts: [Encoded<Sent.Challenge>] {
    described.filter { $0.session.challenge($0.challenge, for: peer) != nil }.map(\.text)
  }
}

extension SessionDriver {
  /// The pending challenges that concern the peer, the oldest first.
  func challenges(for peer: Peer) -> [PendingChallenge] {
    catchUp()
    return state.board.pending.filter { state.board.isEntitled(peer.identifier, to: $0) }
  }

  /// The challenge, if it is pending and concerns the peer.
  func challenge(_ identifier: String, for peer: Peer) -> PendingChallenge? {
    guard state.board.challenge(identifier) != nil else { return nil }
    catchUp()
    return state.board.challenge(identifier).flatMap {
      state.board.isEntitled(peer.identifier, to: $0) ? $0 : nil
    }
  }
}

/// Credentials as lists show them, described one by one: there may be thousands.
///
/// Between two of them only their keys are kept. A credential that is removed meanwhile, or forgotten by a
/// lock, is not held any longer for its description, and is left out.
@ReactorActor
struct CredentialTexts {
  private(set) var texts: [Encoded<Sent.StoredCredential>] = []
  private var rest: ArraySlice<CredentialKey> = []
  private let now = EventLoop.shared.now
  private let wallClock = Clock.wallSeconds()
  private let find: @ReactorActor (CredentialKey) -> CachedCredential?
  private let source: (CachedCredential) -> ProposedCredential.Source

  /// None.
  init() {
    find = { _ in nil }
    source = { _ in .session }
  }

  /// What the session keeps: its own and the copies of permanent ones.
  ///
  /// - Parameter isOwn: only its own.
  init(keptIn session: SessionDriver, isOwn: Bool = false) {
    session.catchUp()
    rest = session.state.memory.keys[...]
    find = { key in
      session.catchUp()
      return session.state.memory.held(at: key).flatMap { isOwn && $0.permanentNumber != nil ? nil : $0 }
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
    let description = Sent.StoredCredential(entry, source: source(entry), now: now, wallClock: wallClock)
    texts.append(.text(JSONWriter.text(description.write)))
    return true
  }
}
