package import WatchwordCore
package import WatchwordJSON

extension SessionConfiguration {
  /// The same with those members of `given` that a request names; every other one is as it was, except for
  /// passwords where the change may lead them to another server (messages.md 4.17).
  ///
  /// - Parameters:
  ///   - request: the object that `given` was read from.
  ///   - path: of the configuration in the request.
  package func changed(
    to given: SessionConfiguration, namedIn request: JSONNode, path: String = "params.configuration"
  ) throws(RPCError) -> SessionConfiguration {
    var changed = self
    for member in Self.members where request.has(member.path) { member.copy(&changed, given) }
    if SessionConfigurationChange(from: self, to: changed).leadsElsewhere {
      changed.dropPasswords(netrc: !request.has(["netrc"]), proxies: !request.has(["proxies"]))
    }
    try changed.requireVersions(path)
    return changed
  }

  /// Every member that changes on its own.
  static var memberPaths: [String] { members.map { $0.path.joined(separator: ".") } }

  private typealias Copy = @Sendable (inout SessionConfiguration, SessionConfiguration) -> Void

  private static let members: [(path: [String], copy: Copy)] = [
    (["credentialStorage"], { $0.credentialStorage = $1.credentialStorage }),
    (["methods", "order"], { $0.methods.order = $1.methods.order }),
    (["methods", "disabled"], { $0.methods.disabled = $1.methods.disabled }),
    (["methods", "basicOverCleartext"], { $0.methods.basicOverCleartext = $1.methods.basicOverCleartext }),
    (["methods", "strongestOnly"], { $0.methods.strongestOnly = $1.methods.strongestOnly }),
    (["methods", "digest", "preemptive"], { $0.methods.digest.preemptive = $1.methods.digest.preemptive }),
    (
      ["methods", "negotiate", "ambientOrigins"],
      { $0.methods.negotiate.ambientOrigins = $1.methods.negotiate.ambientOrigins }
    ),
    (
      ["methods", "negotiate", "delegate"],
      { $0.methods.negotiate.delegates = $1.methods.negotiate.delegates }
    ),
    (
      ["methods", "negotiate", "allowNTLM"],
      { $0.methods.negotiate.allowsNTLM = $1.methods.negotiate.allowsNTLM }
    ),
    (["challenges", "deadlineSeconds"], { $0.challenges.deadlineSeconds = $1.challenges.deadlineSeconds }),
    (["challenges", "unanswered"], { $0.challenges.unanswered = $1.challenges.unanswered }),
    (["challenges", "refusalBudget"], { $0.challenges.refusalBudget = $1.challenges.refusalBudget }),
    (
      ["tls", "roots"],
      { ($0.tls.roots, $0.tls.rootsAreExclusive) = ($1.tls.roots, $1.tls.rootsAreExclusive) }
    ),
    (["tls", "minimumVersion"], { $0.tls.minimumVersion = $1.tls.minimumVersion }),
    (["tls", "maximumVersion"], { $0.tls.maximumVersion = $1.tls.maximumVersion }),
    (["tls", "pins"], { $0.tls.pins = $1.tls.pins }),
    (["tls", "revocation"], { $0.tls.revocation = $1.tls.revocation }),
    (["tls", "revocationLists"], { $0.tls.revocationLists = $1.tls.revocationLists }),
    (["proxies"], { $0.proxies = $1.proxies }),
    (["redirects", "policy"], { $0.redirects.mode = $1.redirects.mode }),
    (["redirects", "limit"], { $0.redirects.limit = $1.redirects.limit }),
    (["redirects", "allowDowngrade"], { $0.redirects.allowsDowngrade = $1.redirects.allowsDowngrade }),
    (["timeouts", "connectSeconds"], { $0.timeouts.connectSeconds = $1.timeouts.connectSeconds }),
    (["timeouts", "requestSeconds"], { $0.timeouts.requestSeconds = $1.timeouts.requestSeconds }),
    (["timeouts", "resourceSeconds"], { $0.timeouts.resourceSeconds = $1.timeouts.resourceSeconds }),
    (["headers"], { $0.headers = $1.headers }),
    (["cookies"], { $0.cookies = $1.cookies }),
    // Has one value only.
    (["cache"], { _, _ in }),
    (["idleSeconds"], { $0.idleSeconds = $1.idleSeconds }),
    (["connectionsPerHost"], { $0.connectionsPerHost = $1.connectionsPerHost }),
    (["httpVersions"], { $0.httpVersions = $1.httpVersions }),
    (["limits", "inlineBodyBytes"], { $0.limits.inlineBodyBytes = $1.limits.inlineBodyBytes }),
    (["limits", "memoryBodyBytes"], { $0.limits.memoryBodyBytes = $1.limits.memoryBodyBytes }),
    (["limits", "decodedBodyBytes"], { $0.limits.decodedBodyBytes = $1.limits.decodedBodyBytes }),
    (["addresses", "resolve"], { $0.addresses.resolve = $1.addresses.resolve }),
    (["addresses", "allowOrigins"], { $0.addresses.allowOrigins = $1.addresses.allowOrigins }),
    (["addresses", "refusePrivate"], { $0.addresses.refusePrivate = $1.addresses.refusePrivate }),
    (["netrc"], { $0.netrc = $1.netrc }),
    (["forms"], { $0.forms = $1.forms }),
  ]
}

extension JSONNode {
  /// Whether the member at a path is there.
  fileprivate func has(_ path: [String]) -> Bool {
    var node = self
    for name in path {
      guard let member = node.member(name) else { return false }
      node = member.value
    }
    return true
  }
}
