package import WatchwordVocabulary

/// The certificate authorities of a user, which the sessions of the uid trust beside the system's
/// (challenges.md 10.14).
package struct UserRoots: Sendable, Equatable {
  /// A certificate that is to be added.
  package struct Candidate: Sendable {
    package let certificate: Certificate
    /// Whether it may issue certificates (RFC 5280 §4.2.1.9, §4.2.1.3).
    package let isAuthority: Bool

    package init(_ certificate: Certificate, isAuthority: Bool) {
      self.certificate = certificate
      self.isAuthority = isAuthority
    }
  }

  /// Why certificates are not added. Numbers count the certificates of a text, from 1.
  package enum AdditionFault: Error, Sendable, Equatable {
    /// There is no certificate.
    case nothing
    case unreadable(number: Int)
    case noAuthority(number: Int, subject: String)
    case tooMany
    /// The PEM text would be larger than ``maximumBytes``.
    case tooLarge
  }

  /// More than the authorities of one organisation.
  package static let capacity = 256
  /// Of the PEM text; as of `tls.roots`.
  package static let maximumBytes = 1024 * 1024

  /// In the order in which they were added; each once.
  package private(set) var all: [Certificate] = []
  /// All of them (RFC 7468), as the file has them; nil when there are none.
  package private(set) var pem: String?

  package init() {}

  package var isEmpty: Bool { all.isEmpty }

  /// For the budget of the uid.
  package var byteCount: Int {
    (pem?.utf8.count ?? 0)
      + all.reduce(0) { $0 + $1.der.count + $1.subject.utf8.count + $1.issuer.utf8.count + 256 }
  }

  /// Adds all of them or none; those that are here already stay where they are.
  ///
  /// - Returns: How many were not here.
  package mutating func add(_ candidates: [Candidate]) throws(AdditionFault) -> Int {
    guard !candidates.isEmpty else { throw .nothing }
    for (index, candidate) in candidates.enumerated() where !candidate.isAuthority {
      throw .noAuthority(number: index + 1, subject: candidate.certificate.subject)
    }
    var known = Set(all.map(\.sha256))
    let new = candidates.map(\.certificate).filter { known.insert($0.sha256).inserted }
    guard all.count + new.count <= UserRoots.capacity else { throw .tooMany }
    let text = (pem ?? "") + new.map(\.pem).joined()
    guard text.utf8.count <= UserRoots.maximumBytes else { throw .tooLarge }
    all += new
    pem = text
    return new.count
  }

  /// - Parameter sha256: in hexadecimal; nil: all.
  /// - Returns: How many were removed.
  package mutating func remove(_ sha256: String?) -> Int {
    let left = sha256 == nil ? [] : all.filter { $0.sha256.hexadecimal != sha256 }
    let removed = all.count - left.count
    all = left
    pem = left.isEmpty ? nil : left.map(\.pem).joined()
    return removed
  }

  /// The one that a verified chain ends in; nil when it ends in another root, or was not verified.
  package func root(endOf presented: PresentedChain) -> Certificate? {
    guard !all.isEmpty, let key = presented.verifiedPublicKeys.last else { return nil }
    return all.first { $0.publicKey == key }
  }
}

extension SessionConfiguration.TLS {
  /// Those of the user that count beside these.
  package func counted(_ userRoots: UserRoots) -> UserRoots { takesUserRoots ? userRoots : UserRoots() }
}

extension Certificate {
  /// RFC 7468 §2: lines of 64 characters.
  package var pem: String {
    let text = Array(Base64.encode(der).utf8)
    let lines = stride(from: 0, to: text.count, by: 64).map { start in
      String(decoding: text[start..<min(start + 64, text.count)], as: UTF8.self)
    }
    return (["-----BEGIN CERTIFICATE-----"] + lines + ["-----END CERTIFICATE-----", ""]).joined(
      separator: "\n")
  }
}
