internal import CTransport
package import WatchwordCore
internal import WatchwordVocabulary

extension UserRoots {
  /// Reads the certificates of PEM text. Takes some tenths of a millisecond for each.
  package static func candidates(in pem: String) throws(Fault) -> [Candidate] {
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
