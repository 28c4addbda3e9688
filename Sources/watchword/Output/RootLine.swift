internal import WatchwordMessages
internal import WatchwordPrimitives

/// Formats a certificate authority of the user for a person: the SHA-256 to remove it with, then its subject.
enum RootLine {
  static func text(of root: Sent.Root) -> String {
    let words = [root.sha256, root.subject, root.issuer, root.notAfter].map { DisplayText.escaped($0) }
    let issuer = root.issuer == root.subject ? "" : ", issued by \(words[2])"
    return "\(words[0])  \(words[1])\(issuer), good until \(words[3])"
  }
}
