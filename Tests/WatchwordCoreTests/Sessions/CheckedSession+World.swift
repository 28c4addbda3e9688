import WatchwordVocabulary

@testable import WatchwordCore

/// The world of a checked session: its servers, and the connections to them.
extension CheckedSession {
  /// An origin as the world knows it: what it asks for, and what it takes.
  struct Server {
    let origin: Origin
    let challenge: String?
    let chain: PresentedChain
    let faults: [TrustFault]
    /// What it asks for in a handshake.
    var certificateRequest: CertificateRequest?
    /// Grows when the passwords change.
    var season = 0

    /// The one user that it knows now.
    var user: String { "\(origin.host);\(season)" }
    /// The users that it knows and knew, and one that it never knew.
    private var users: [String] { (0...season).map { "\(origin.host);\($0)" } + ["wrong;\(origin.host)"] }

    /// Whether the value is that of the user that it knows now.
    func accepts(_ authorization: String?) -> Bool {
      authorization.map { Self.names(user, in: $0) } ?? false
    }

    /// Whether the value is that of a user that was given for this origin.
    func wasGiven(_ authorization: String) -> Bool {
      users.contains { Self.names($0, in: authorization) }
    }

    /// Whether the value is that of a user, whose password is the name once more.
    private static func names(_ user: String, in authorization: String) -> Bool {
      authorization.contains("username=\"\(user)\"") || authorization == basic(user)
    }

    private static func basic(_ user: String) -> String? {
      (try? BasicAuthorization.value(user: user, password: TaskScene.secret(user)))
        .map { $0.withBytes { String(decoding: $0, as: UTF8.self) } }
    }
  }

  /// An open connection, and what was seen when it was opened.
  struct Connection {
    let origin: Origin
    let partition: ConnectionPartition
    let chain: PresentedChain
    let faults: [TrustFault]
    /// The identity that was presented.
    let identity: String?
    var isClosed = false
  }
}
