internal import WatchwordCore
internal import WatchwordVocabulary

/// A task behind a proxy. A byte says whether there is a tunnel; then a response a line: a byte for its kind and for what
/// is answered, and `Proxy-Authenticate` fields, separated by NUL.
enum ProxyRefusalTarget {
  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    var reader = InputReader(input)
    let isTunnel = reader.byte() & 1 != 0
    var task = TaskUnderTest(scheme: isTunnel ? .https : .http, isProxied: true)
    task.begin()
    for line in reader.parts(separatedBy: UInt8(ascii: "\n")) {
      let kind = line.first ?? 0
      let fields = line.dropFirst().split(separator: 0, omittingEmptySubsequences: false).map {
        HeaderField("Proxy-Authenticate", octets: $0)
      }
      let refusal = ResponseHead(status: 407, headers: fields)
      switch kind & 3 {
      case 0: task.end(.proxyAuthenticationRequired(refusal))
      // Through a tunnel it would be the origin's.
      case 1 where !isTunnel: task.respond(refusal)
      case 2: task.end(.proxyRefused(refusal))
      default: task.respond(ResponseHead(status: 200, headers: []))
      }
      task.answer(
        kind & 4 == 0
          ? .tryCredential(Credential(.password(user: "courier", password: Secret("x".utf8))))
          : .excludeOffer)
      require(!task.hasDelivered(407), "a proxy's page is the result")
      require(task.authorizations == 0, "a proxy's credential goes to the origin")
    }
  }
}
