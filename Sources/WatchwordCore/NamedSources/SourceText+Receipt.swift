package import WatchwordSecret
package import WatchwordVocabulary

/// What a helper of git is told once a server has judged what it gave (git-credential(1), `approve` and `reject`).
extension SourceText {
  /// What git passes on of an answer to `store` and `erase`.
  private static let passedOn: Set<String> = [
    "authtype", "credential", "ephemeral", "username", "password", "oauth_refresh_token",
    "password_expiry_utc",
  ]

  /// - Parameter bytes: the helper's answer, which has been read without a fault.
  package static func receipt(ofHelper bytes: UnsafeRawBufferPointer, for origin: Origin) -> Secret {
    var parts = [Secret((names(of: origin).joined(separator: "\n") + "\n").utf8)]
    let lineEnd = Secret("\n".utf8)
    for line in linesPassedOn(bytes) {
      parts += [Secret(copying: UnsafeRawBufferPointer(rebasing: line)), lineEnd]
    }
    return Secret(joining: parts + [lineEnd])
  }

  /// Of several lines with one name the last counts, as for git.
  private static func linesPassedOn(_ bytes: UnsafeRawBufferPointer) -> [Slice<UnsafeRawBufferPointer>] {
    var lines: [String: Slice<UnsafeRawBufferPointer>] = [:]
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      guard !line.isEmpty else { break }
      let name = String(decoding: line.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
      if passedOn.contains(name) { lines[name] = line }
      if line.elementsEqual("capability[]=authtype".utf8) { lines[name] = line }
    }
    return lines.sorted { $0.key < $1.key }.map(\.value)
  }
}
