internal import WatchwordReactor
internal import WatchwordVocabulary

/// The connections of one socket, which share one restriction.
@ReactorActor
final class RestrictedEntrance {
  let restriction: ActiveRestriction
  private(set) var peers: Set<PeerIdentifier> = []

  init(_ restriction: ActiveRestriction) { self.restriction = restriction }

  var isFull: Bool { peers.count >= Limits.connectionsPerListener }

  func take(_ peer: Peer) {
    peers.insert(peer.identifier)
    peer.entrance = self
    restriction.take(peer)
  }

  func remove(_ peer: PeerIdentifier) { peers.remove(peer) }
}
