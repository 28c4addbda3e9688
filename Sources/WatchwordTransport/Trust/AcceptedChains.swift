internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor

/// What the origins of one pool presented when they were last accepted, for TLS sessions that are resumed: the
/// certificates do not come then, and are judged anew all the same.
@ReactorActor
struct AcceptedChains {
  /// OpenSSL's `STACK_OF(X509)`.
  final class Chain: Sendable {
    /// Does not change once it is made; OpenSSL counts the references to its certificates.
    nonisolated(unsafe) let stack: OpaquePointer

    fileprivate init?(_ context: OpaquePointer) {
      guard let stack = transport_presented_copy(context) else { return nil }
      self.stack = stack
    }

    deinit { transport_chain_free(stack) }
  }

  /// libcurl keeps 25 TLS sessions at most. A chain that is forgotten costs one whole handshake.
  private static let capacity = 64

  private var chains: [Origin: Chain] = [:]
  /// What these origins were presented with: their TLS sessions go on speaking for it.
  private var identities: [Origin: Set<String>] = [:]

  subscript(origin: Origin) -> Chain? { chains[origin] }

  /// Keeps what was presented in the handshake of this `X509_STORE_CTX`.
  mutating func keep(_ context: OpaquePointer, of origin: Origin) {
    if chains.count >= AcceptedChains.capacity, chains[origin] == nil {
      chains.removeAll()
      identities = identities.filter { $0.key == origin }
    }
    chains[origin] = Chain(context)
  }

  mutating func note(_ identity: String, presentedTo origin: Origin) {
    identities[origin, default: []].insert(identity)
  }

  func identitiesPresented(to origin: Origin) -> Set<String> { identities[origin] ?? [] }
}
