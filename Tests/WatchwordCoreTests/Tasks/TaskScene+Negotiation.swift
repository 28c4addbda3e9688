import WatchwordSecret
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// A task whose origin authenticates connections.
extension TaskScene {
  static let everyMethod: MethodPolicy = {
    var policy = MethodPolicy()
    policy.disabled = []
    return policy
  }()
  static let serverToken = "Y2hhbGxlbmdl"

  static func negotiating(
    _ number: UInt64 = 1, method: String = "GET", body: RedirectStep.Body = .none, budget: Int = 5,
    limit: Int = 6
  ) -> TaskScene {
    var scene = TaskScene(
      method: method, body: body, policy: everyMethod, budget: budget, connectionLimit: limit)
    scene.number = number
    return scene
  }

  /// The task makes its first token, for the credential that answered its question.
  mutating func askToNegotiate(_ scheme: String, _ cache: inout CredentialCache) {
    begin(&cache)
    refuse(scheme, cache: &cache)
    answer(.tryCredential(Self.password("x")), &cache)
  }

  static func proof(_ tokens: String...) -> [HeaderField] {
    tokens.map { HeaderField("WWW-Authenticate", "Negotiate \($0)") }
  }

  /// The server takes the token and proves itself.
  mutating func prove(_ cache: inout CredentialCache) {
    make("token", isComplete: false, &cache)
    head(200, Self.proof(Self.serverToken), &cache)
    negotiated(.established(.kerberos), &cache)
    if case .accepted(let credential, let space, let authenticator, let scope)? = report {
      cache.store(credential, for: space, authenticator: authenticator, scope: scope, owner: 1, now: 0)
    }
    end(&cache)
  }

  /// The session has an authenticated connection that no task uses.
  static func authenticateConnection(_ cache: inout CredentialCache) {
    var first = negotiating()
    first.askToNegotiate("Negotiate", &cache)
    first.prove(&cache)
    cache.bound.end(TaskIdentifier(first.number))
  }
}
