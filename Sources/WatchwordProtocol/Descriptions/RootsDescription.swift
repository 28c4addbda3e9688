package import WatchwordMessages
package import WatchwordVocabulary

/// The user's certificate authorities as `status` shows them.
package struct RootsDescription: Sendable, Describing {
  package let path: String?
  package let count: Int
  /// Why the file is not used, for a person.
  package let reason: String?

  package init(path: String?, count: Int, reason: String?) {
    self.path = path
    self.count = count
    self.reason = reason
  }

  package var sent: Sent.RootsStatus { Sent.RootsStatus(path: path, count: count, reason: reason) }
}

extension Certificate {
  /// As one of the user's certificate authorities.
  package var sentAsRoot: Sent.Root {
    Sent.Root(
      subject: subject, issuer: issuer, notBefore: Timestamp.text(notBefore),
      notAfter: Timestamp.text(notAfter), sha256: sha256.hexadecimal)
  }
}
