internal import CLinux
internal import WatchwordProtocol
internal import WatchwordReactor

@ReactorActor
protocol PeerDelegate: AnyObject {
  var budget: MemoryBudget { get }
  func peer(_ peer: Peer, didReceive call: Call, _ request: Message.Request)
  /// It will send nothing more, so that it cannot answer a challenge.
  func peerCannotBeAsked(_ peer: Peer)
  func peerClosed(_ peer: Peer)
}
