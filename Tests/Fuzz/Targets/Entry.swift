internal import Glibc

/// What libFuzzer calls with each input. `FUZZ_TARGET` says which target it is for.
@_cdecl("LLVMFuzzerTestOneInput")
package func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  Target.chosen(UnsafeRawBufferPointer(start: start, count: count))
  return 0
}

/// Every target by name; `Corpus` has a folder of the same name for each.
private enum Target {
  private static let all: [String: @Sendable (UnsafeRawBufferPointer) -> Void] = [
    "authentication-info": AuthenticationInfoTarget.run, "certificates": CertificateTarget.run,
    "chains": ChainTarget.run, "client-messages": ClientMessageTarget.run, "codings": CodingTarget.run,
    "configuration": ConfigurationTarget.run, "content-ranges": ContentRangeTarget.run,
    "cookies": CookieTarget.run, "digest-fields": DigestFieldTarget.run, "frames": FrameTarget.run,
    "headers": HeaderTarget.run, "identities": IdentityTarget.run, "messages": MessageTarget.run,
    "negotiation": NegotiationTarget.run, "netrc": NetrcTarget.run, "pages": PageTarget.run,
    "parameters": ParameterTarget.run, "proxies": ProxyTarget.run, "proxy-refusals": ProxyRefusalTarget.run,
    "responses": ResponseTarget.run, "restricted-fields": RestrictedFieldTarget.run,
    "restricted-paths": RestrictedPathTarget.run, "revocation": RevocationTarget.run,
    "security-tokens": SecurityTokenTarget.run, "state": StateTarget.run,
    "token-replies": TokenReplyTarget.run, "tokens": TokenTarget.run, "urls": URLTarget.run,
  ]

  static let chosen: @Sendable (UnsafeRawBufferPointer) -> Void = {
    guard let name = getenv("FUZZ_TARGET").map({ String(cString: $0) }), let target = all[name] else {
      fatalError("FUZZ_TARGET has to be one of \(all.keys.sorted())")
    }
    return target
  }()
}

/// What must hold for every input; a crash is what libFuzzer looks for.
func require(_ holds: Bool, _ what: StaticString) {
  if !holds { fatalError("\(what)") }
}
