internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

/// The data to resume TLS with a pool's origins: the chains that were accepted last, and the TLS sessions. A resumed
/// session sends no certificates, and they are judged again all the same.
@ReactorActor
struct Resumptions {
  /// The data of one origin.
  @ReactorActor
  final class Entry {
    let resumption: OpaquePointer

    fileprivate init?() {
      guard let resumption = transport_resumption_make() else { return nil }
      self.resumption = resumption
    }

    isolated deinit { transport_resumption_release(resumption) }
  }

  /// A TLS session takes about 4 KiB. A forgotten origin costs one full handshake.
  private static let capacity = 64

  private var entries: [Origin: Entry] = [:]
  /// The identities presented to these origins: their TLS sessions stay authenticated with them.
  private var identities: [Origin: Set<String>] = [:]

  /// For a new connection to `origin`; nil when out of memory.
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

  /// Stores what was presented in the handshake of this `X509_STORE_CTX`.
  func accept(_ chain: OpaquePointer, of origin: Origin) {
    if let entry = entries[origin] { transport_resumption_accept(entry.resumption, chain) }
  }

  mutating func note(_ identity: String, presentedTo origin: Origin) {
    identities[origin, default: []].insert(identity)
  }

  func identitiesPresented(to origin: Origin) -> Set<String> { identities[origin] ?? [] }
}
