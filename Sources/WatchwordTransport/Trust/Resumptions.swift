internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor

/// What one pool needs to resume TLS with its origins: the chains that were accepted last, and the TLS sessions. The
/// certificates do not come with a resumed session, and are judged again all the same.
@ReactorActor
struct Resumptions {
  /// One origin's.
  @ReactorActor
  final class Entry {
    let resumption: OpaquePointer

    fileprivate init?() {
      guard let resumption = transport_resumption_make() else { return nil }
      self.resumption = resumption
    }

    isolated deinit { transport_resumption_release(resumption) }
  }

  /// A TLS session takes about 4 KiB. An origin that is forgotten costs one whole handshake.
  private static let capacity = 64

  private var entries: [Origin: Entry] = [:]
  /// What these origins were presented with: their TLS sessions go on speaking for it.
  private var identities: [Origin: Set<String>] = [:]

  /// For a connection to `origin` that is being made; nil when memory is short.
  mutating func entry(of origin: Origin) -> Entry? {
    if let entry = entries[origin] { return entry }
    if entries.count >= Resumptions.capacity {
      entries.removeAll()
      identities.removeAll()
    }
    let entry = Entry()
    entries[origin] = entry
    return entry
  }

  /// Keeps what was presented in the handshake of this `X509_STORE_CTX`.
  func accept(_ chain: OpaquePointer, of origin: Origin) {
    if let entry = entries[origin] { transport_resumption_accept(entry.resumption, chain) }
  }

  mutating func note(_ identity: String, presentedTo origin: Origin) {
    identities[origin, default: []].insert(identity)
  }

  func identitiesPresented(to origin: Origin) -> Set<String> { identities[origin] ?? [] }
}
