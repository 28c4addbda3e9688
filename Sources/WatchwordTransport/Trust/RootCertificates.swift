internal import CTransport
internal import WatchwordReactor

/// Trust anchors in OpenSSL's form, shared by every session with the same roots.
///
/// libcurl would read Debian's bundle for each connection, at 25 ms; one store costs that once, when the first
/// handshake needs it. From a directory of hashed names, only the required roots are read.
final class RootCertificates: Sendable {
  /// OpenSSL counts the references to a store, and locks it during a search or an addition.
  private nonisolated(unsafe) let anchors: OpaquePointer
  private let key: Key
  @ReactorActor private var hasLoadedSystem = false

  private struct Key: Hashable, Sendable {
    let hasSystem: Bool
    let text: String
    let lists: String?
  }

  private struct Weak {
    weak var roots: RootCertificates?
  }

  /// Stores in use; each is released with its last engine.
  @ReactorActor private static var known: [Key: Weak] = [:]
  /// Only the store of the system's roots is kept: nearly every session uses it.
  @ReactorActor private static var system: RootCertificates?

  @ReactorActor
  static func make(for configuration: EngineConfiguration) throws(EngineFault) -> RootCertificates {
    let text = configuration.extraRoots
    guard text?.isEmpty != true else { throw .rootsUnreadable }
    let key = Key(
      hasSystem: text == nil || !configuration.exclusiveRoots, text: text ?? "",
      lists: configuration.revocationLists)
    if let roots = known[key]?.roots { return roots }
    known = known.filter { $0.value.roots != nil }
    let bytes = Array(key.text.utf8)
    let store = bytes.withUnsafeBytes {
      transport_roots_make(text == nil ? nil : $0.bindMemory(to: CChar.self).baseAddress, bytes.count)
    }
    guard let store else { throw text == nil ? .outOfMemory : .rootsUnreadable }
    let roots = RootCertificates(store, key)
    if let lists = key.lists, !transport_roots_add_revocation_lists(store, lists, lists.utf8.count) {
      throw .revocationListsUnreadable
    }
    known[key] = Weak(roots: roots)
    if text == nil, key.lists == nil { system = roots }
    return roots
  }

  private init(_ anchors: OpaquePointer, _ key: Key) {
    self.anchors = anchors
    self.key = key
  }

  deinit { transport_roots_free(anchors) }

  /// The `X509_STORE`, complete.
  @ReactorActor
  var store: OpaquePointer {
    if key.hasSystem, !hasLoadedSystem {
      hasLoadedSystem = true
      transport_roots_add_system(anchors)
    }
    return anchors
  }
}
