internal import CTransport
internal import WatchwordReactor

/// Trust anchors in OpenSSL's form, shared by every session with the same roots.
///
/// libcurl would read Debian's bundle for each connection, at 25 ms; one store costs that once.
final class RootCertificates: Sendable {
  /// OpenSSL counts the references to a store, and locks it while it is searched or added to.
  nonisolated(unsafe) let store: OpaquePointer

  private struct Key: Hashable {
    let hasSystem: Bool
    let text: String
  }

  private struct Weak {
    weak var roots: RootCertificates?
  }

  /// Those in use; a store goes with its last engine.
  @ReactorActor private static var known: [Key: Weak] = [:]

  @ReactorActor
  static func make(for configuration: EngineConfiguration) throws(CurlEngine.Fault) -> RootCertificates {
    let text = configuration.extraRoots ?? ""
    let hasText = configuration.extraRoots != nil
    guard !hasText || !text.isEmpty else { throw .rootsUnreadable }
    let key = Key(hasSystem: !(configuration.exclusiveRoots && hasText), text: text)
    if let roots = known[key]?.roots { return roots }
    known = known.filter { $0.value.roots != nil }
    let bytes = Array(text.utf8)
    let store = bytes.withUnsafeBytes {
      let pem = $0.bindMemory(to: CChar.self).baseAddress
      return transport_roots_make(key.hasSystem, hasText ? pem : nil, bytes.count)
    }
    guard let store else { throw hasText ? .rootsUnreadable : .outOfMemory }
    let roots = RootCertificates(store)
    known[key] = Weak(roots: roots)
    return roots
  }

  private init(_ store: OpaquePointer) { self.store = store }

  deinit { transport_roots_free(store) }
}
