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
    _ number: UInt64 = 1, method: String = "GET", body: RequestStep.Body = .none, budget: Int = 5,
    limit: Int = 6
  ) -> TaskScene {
    var scene = TaskScene(
      method: method, body: body, policy: everyMethod, budget: budget, connectionLimit: limit)
    scene.number = number
    return scene
  }

  /// The task makes its first token, for the credential that answered its question.
  mutating func askToNegotiate(_ scheme: String, _ memory: SessionMemory) {
    begin(memory)
    refuse(scheme, with: memory)
    answer(.tryCredential(Self.password("x")), memory)
  }

  static func proof(_ tokens: String...) -> [HeaderField] {
    tokens.map { HeaderField("WWW-Authenticate", "Negotiate \($0)") }
  }

  /// The server takes the token and proves itself.
  mutating func prove(_ memory: SessionMemory) {
    make("token", isComplete: false, memory)
    head(200, Self.proof(Self.serverToken), memory)
    negotiated(.established(.kerberos), memory)
    if case .accepted(let credential, let space, let authenticator, let scope)? = report {
      memory.store(credential, for: space, authenticator: authenticator, scope: scope, owner: 1, now: 0)
    }
    end(memory)
  }

  /// The session has an authenticated connection that no task uses.
  static func authenticateConnection(_ memory: SessionMemory) {
    var first = negotiating()
    first.askToNegotiate("Negotiate", memory)
    first.prove(memory)
    memory.bound.end(TaskIdentifier(first.number))
  }
}
