import Testing
import WatchwordJSON
import WatchwordProtocol

/// One method's parameters, by the type that reads them.
struct MethodUnderTest: Sendable {
  let read: @Sendable (JSONNode?) throws(RPCError) -> Void

  static let none = MethodUnderTest { object throws(RPCError) in _ = try NoParameters(object) }
  static let initialize = MethodUnderTest { object throws(RPCError) in _ = try InitializeParameters(object) }
  static let sessionOpen = MethodUnderTest { object throws(RPCError) in _ = try SessionOpenParameters(object)
  }
  static let session = MethodUnderTest { object throws(RPCError) in _ = try SessionParameters(object) }
  static let fetch = MethodUnderTest { object throws(RPCError) in _ = try FetchParameters(object) }
  static let task = MethodUnderTest { object throws(RPCError) in _ = try TaskParameters(object) }
  static let redirectReply = MethodUnderTest { object throws(RPCError) in
    _ = try RedirectReplyParameters(object)
  }
  static let challengeReply = MethodUnderTest { object throws(RPCError) in
    _ = try ChallengeReply.Parameters(object)
  }
  static let challenge = MethodUnderTest { object throws(RPCError) in _ = try ChallengeParameters(object) }
  static let credentialSet = MethodUnderTest { object throws(RPCError) in
    _ = try CredentialSetParameters(object)
  }
  static let credentialRemove = MethodUnderTest { object throws(RPCError) in
    _ = try CredentialRemoveParameters(object)
  }
  static let credentialSetDefault = MethodUnderTest { object throws(RPCError) in
    _ = try CredentialSetDefaultParameters(object)
  }
  static let cookieList = MethodUnderTest { object throws(RPCError) in _ = try CookieListParameters(object) }
  static let cookieSet = MethodUnderTest { object throws(RPCError) in _ = try CookieSetParameters(object) }
  static let cookieRemove = MethodUnderTest { object throws(RPCError) in
    _ = try CookieRemoveParameters(object)
  }
  static let explain = MethodUnderTest { object throws(RPCError) in _ = try ExplainParameters(object) }
  static let subscribe = MethodUnderTest { object throws(RPCError) in
    _ = try StatusSubscribeParameters(object)
  }
  static let shutdown = MethodUnderTest { object throws(RPCError) in _ = try ServerShutdownParameters(object)
  }

  /// What becomes of parameters given as JSON text: `taken`, or the kind of the error and the path.
  func verdict(_ text: String) -> String {
    place(fault { try read(try parameters(text)) })
  }

  /// Each line of `lines` is one object of parameters and, behind `=>`, the path that is refused.
  func expectRefusals(_ lines: String) {
    for line in lines.split(separator: "\n") {
      let parts = line.split(separator: "=>")
      guard parts.count == 2, let path = parts[1].split(separator: " ").first else {
        Issue.record("\(line)")
        continue
      }
      #expect(verdict(String(parts[0])) == "invalidParams params\(path)", "\(line)")
    }
  }

  /// Each line of `lines` is one object of parameters that is taken.
  func expectAccepted(_ lines: String) {
    for line in lines.split(separator: "\n") { #expect(verdict(String(line)) == "taken", "\(line)") }
  }
}
