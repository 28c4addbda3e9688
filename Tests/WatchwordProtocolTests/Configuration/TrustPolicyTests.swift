import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordProtocol
import WatchwordTestSupport
import WatchwordVocabulary

/// `transportSecurity` of the daemon's configuration.
struct TrustPolicyTests {
  private func read(_ text: String) throws -> TrustPolicy {
    try ParameterReader.decode(try node(text), path: "transportSecurity") { reader throws(RPCError) in
      try TrustPolicy(&reader)
    }
  }

  @Test func everyMemberIsRead() throws {
    let policy = try read(
      #"""
      {"defaults":{"allowsCleartext":false},
       "domains":[{"domain":"Bank.Example","includesSubdomains":true,"allowsLooseningTrust":false,
         "minimumTLSVersion":"1.3","requiresForwardSecrecy":true,"requiresRevocationCheck":true,
         "pinnedPublicKeys":["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]}]}
      """#)
    #expect(policy.ruleAgainstCleartext(to: "a") == "transportSecurity.defaults.allowsCleartext")
    #expect(policy.ruleAgainstLoosening(for: "a.bank.example") != nil)
    let requirements = policy.requirements(for: "bank.example")
    #expect(requirements.minimumTLSVersion == .tls13 && requirements.forwardSecrecy)
    #expect(requirements.revocationCheck)
    #expect(policy.domains.first?.rule.pinnedPublicKeys?.count == 1)
  }

  @Test(arguments: [
    (#"{"default":{}}"#, "transportSecurity.default"),
    (#"{"domains":{}}"#, "transportSecurity.domains"),
    (#"{"domains":[7]}"#, "transportSecurity.domains[0]"),
    (#"{"domains":[{}]}"#, "transportSecurity.domains[0].domain"),
    (#"{"domains":[{"domain":"*.a"}]}"#, "transportSecurity.domains[0].domain"),
    (#"{"domains":[{"domain":"a..b"}]}"#, "transportSecurity.domains[0].domain"),
    (#"{"domains":[{"domain":"."}]}"#, "transportSecurity.domains[0].domain"),
    (#"{"domains":[{"domain":"127.1"}]}"#, "transportSecurity.domains[0].domain"),
    (#"{"domains":[{"domain":"127.0.0.1."}]}"#, "transportSecurity.domains[0].domain"),
    (#"{"domains":[{"domain":"1::2::3"}]}"#, "transportSecurity.domains[0].domain"),
    (#"{"domains":[{"domain":"a","allowsclear":true}]}"#, "transportSecurity.domains[0].allowsclear"),
    (#"{"defaults":{"minimumTLSVersion":"1.1"}}"#, "transportSecurity.defaults.minimumTLSVersion"),
    (#"{"defaults":{"pinnedPublicKeys":[]}}"#, "transportSecurity.defaults.pinnedPublicKeys"),
  ])
  func whatIsWrongIsNamed(_ text: String, _ path: String) throws {
    do {
      _ = try read(text)
      Issue.record("taken: \(text)")
    } catch let error as RPCError {
      #expect(error.message.hasPrefix(path + ":"))
    }
  }

  @Test(arguments: ["0:0:0:0:0:0:0:1", "[0::1]", "::1", "[::0001]"])
  func aRuleForAnAddressCountsHoweverItIsSpelled(_ address: String) throws {
    let policy = try read(#"{"domains":[{"domain":"\#(address)","allowsLooseningTrust":false}]}"#)
    #expect(policy.ruleAgainstLoosening(for: "::1") != nil)
  }

  @Test func aRuleForAnIPv4AddressIsTaken() throws {
    let policy = try read(#"{"domains":[{"domain":"127.0.0.1","allowsLooseningTrust":false}]}"#)
    #expect(policy.ruleAgainstLoosening(for: "127.0.0.1") != nil)
  }
}
