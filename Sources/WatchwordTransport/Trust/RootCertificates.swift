internal import CTransport
package import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

/// Trust anchors in OpenSSL's form, shared by every session with the same roots.
///
/// libcurl would read Debian's bundle for each connection, at 25 ms; one store costs that once, when the
/// first handshake needs it. From a directory of hashed names, only the required roots are read.
final class RootCertificates: Sendable {
  /// OpenSSL counts the references to a store, and locks it during a search or an addition.
  private nonisolated(unsafe) let anchors: OpaquePointer
  private let key: Key
  @ReactorActor private var hasLoadedSystem = false
  /// Of the user who came with them first; given back with the last reference.
  @ReactorActor private var memory: (any HeldMemory)?

  private struct Key: Hashable, Sendable {
    let hasSystem: Bool
    let text: String
    /// The user's.
    let user: String?
    let lists: String?
  }

  private struct Weak {
    weak var roots: RootCertificates?
  }

  /// Stores in use; each is released with its last engine.
  @ReactorActor private static var known: [Key: Weak] = [:]
  /// Only the store of the system's roots is kept: nearly every session uses it.
  @ReactorActor private static var system: RootCertificates?

  /// - Parameter memory: of the user; what they take is counted there, once for all sessions with the same
  ///   ones.
  @ReactorActor
  static func make(
    for configuration: EngineConfiguration, in memory: (any HeldMemory)?
  ) throws(EngineFault) -> RootCertificates {
    let text = configuration.extraRoots
    guard text?.isEmpty != true else { throw .rootsUnreadable }
    let key = Key(
      hasSystem: text == nil || !configuration.exclusiveRoots, text: text ?? "",
      user: configuration.userRoots, lists: configuration.revocationLists)
    if let roots = known[key]?.roots { return roots }
    known = known.filter { $0.value.roots != nil }
    let bytes = Array(key.text.utf8)
    var count: Int32 = 0
    let store = bytes.withUnsafeBytes {
      transport_roots_make(text == nil ? nil : $0.bindMemory(to: CChar.self).baseAddress, bytes.count, &count)
    }
    let maximum = Int(transport_roots_maximum)
    guard count <= maximum else { throw .tooManyRoots(maximum) }
    guard let store else { throw text == nil ? .outOfMemory : .rootsUnreadable }
    let roots = RootCertificates(store, key)
    // They were read before, when they were added.
    if let user = key.user, !transport_roots_add(store, user, user.utf8.count, &count) { throw .outOfMemory }
    if let lists = key.lists, !transport_roots_add_revocation_lists(store, lists, lists.utf8.count) {
      throw .revocationListsUnreadable
    }
    roots.count(Int(count), in: memory)
    known[key] = Weak(roots: roots)
    if text == nil, key.user == nil, key.lists == nil { system = roots }
    return roots
  }

  private init(_ anchors: OpaquePointer, _ key: Key) {
    self.anchors = anchors
    self.key = key
  }

  deinit { transport_roots_free(anchors) }

  @ReactorActor
  private func count(_ certificates: Int, in memory: (any HeldMemory)?) {
    self.memory = memory?.another()
    let lists = (key.lists?.utf8.count ?? 0) * HeldBytes.revocationListFactor
    self.memory?.growAnyway(by: certificates * HeldBytes.certificate + lists)
  }

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

extension UserRoots {
  /// Reads the certificates of PEM text. Takes some tenths of a millisecond for each.
  package static func candidates(in pem: String) throws(AdditionFault) -> [Candidate] {
    var isWhole = false
    let list = transport_roots_read(pem, pem.utf8.count, Int32(UserRoots.capacity), &isWhole)
    guard let list else { throw .unreadable(number: 1) }
    defer { transport_roots_release(list) }
    let count = Int(transport_roots_count(list))
    guard count <= UserRoots.capacity else { throw .tooMany }
    var candidates: [Candidate] = []
    for index in 0..<count {
      guard let x509 = transport_roots_at(list, Int32(index)), let certificate = Certificate(x509) else {
        throw .unreadable(number: index + 1)
      }
      candidates.append(Candidate(certificate, isAuthority: transport_is_authority(x509)))
    }
    guard isWhole else { throw .unreadable(number: count + 1) }
    return candidates
  }
}
