internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordVocabulary

/// The body of a token endpoint's reply.
enum TokenReplyTarget {
  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    let head = ResponseHead(status: 200, headers: [HeaderField("Content-Type", "application/json")])
    let answer = TokenReply.Answer(status: 200, TokenReply.members(head, input))
    _ = IssuedCode.code(
      of: TokenReply.Answer(status: 200, TokenReply.members(head, input, isOfDevice: true)))
    guard case .success(let issued) = TokenReply.token(of: answer) else { return }
    require(
      issued.token.withBytes { $0.allSatisfy { (0x21...0x7E).contains($0) } }, "a token that cannot be sent")
    require(issued.token.count <= input.count, "a token that is not in the reply")
    if let lifetime = issued.lifetime { require((1...1e9).contains(lifetime), "a time that is none") }
    if let refreshToken = issued.refreshToken {
      require(
        refreshToken.withBytes { $0.allSatisfy { (0x20...0x7E).contains($0) } },
        "a refresh token that cannot be sent")
    }
  }
}
