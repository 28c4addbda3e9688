internal import CLinux
internal import WatchwordProtocol
internal import WatchwordReactor

@ReactorActor
protocol PeerDelegate: AnyObject {
  var budget: MemoryBudget { get }
  var reserve: MemoryBudget { get }
  func peer(_ peer: Peer, didReceive call: Call, _ request: Message.Request)
  /// It will send nothing more, so that it cannot answer a challenge.
  func peerCannotBeAsked(_ peer: Peer)
  /// It is closed for what it has not read.
  func peer(_ peer: Peer, endsBecause reason: String, waiting bytes: Int)
  func peerClosed(_ peer: Peer)
}
