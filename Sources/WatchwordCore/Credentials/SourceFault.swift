/// A source that gave nothing, and why.
package struct SourceFailure: Sendable, Equatable {
  package let name: String
  package let fault: SourceFault

  package init(_ name: String, _ fault: SourceFault) {
    self.name = name
    self.fault = fault
  }

  /// Says what happened, without anything that the source said.
  package var text: String { "the source \(name): \(fault.text)" }
}

/// Why a source gave nothing that can be used.
package enum SourceFault: String, Error, Sendable, CaseIterable {
  /// The file is not there, cannot be read, is not a regular file, or belongs to others.
  case unreadable
  /// Other users may read the file.
  case looseMode
  case tooLarge
  case empty
  /// What a program said is not in the format of git's credential helpers, what an endpoint said is not what
  /// RFC 6749 demands, or it holds a control character.
  case malformed
  /// A password where a token is needed, or the other way round; a token of another type than Bearer.
  case unfit
  case notStarted
  /// A program did not end, or a token endpoint did not answer, within its time.
  case timedOut
  /// There is no connection to the token endpoint, or it ended.
  case unreachable
  /// The token endpoint's certificate failed verification.
  case untrusted
  /// The token endpoint says that it cannot answer now (5xx, 429).
  case unavailable
  /// The token endpoint redirects, which is not followed.
  case redirected
  /// `invalid_client`, `unauthorized_client` (RFC 6749 §5.2).
  case clientRefused
  /// `invalid_grant`: the refresh token is not valid any more.
  case grantRefused
  /// Any other error of the token endpoint.
  case requestRefused
  /// A server has refused the token that the endpoint issued last.
  case tokensRefused
  /// The person at the authorization server has said no (RFC 8628 §3.5).
  case accessDenied
  /// No code was entered in time.
  case codeExpired
  /// A person must enter a code, and no delegate can be asked to show it.
  case promptNeeded
  /// A new refresh token could not be written into its file.
  case unwritable
  /// Too many readings wait.
  case overloaded
  /// The configuration has no such source any more, or another one.
  case withdrawn
  /// What it gave is not valid any more (`password_expiry_utc`).
  case expired
  /// A helper ends the search for a credential (`quit`, git-credential(1)).
  case stopped

  /// Whether the source works, and only has nothing that the server takes.
  package var isRefusalOfServer: Bool { self == .tokensRefused }

  package var text: String {
    switch self {
    case .unreadable: "it cannot be read"
    case .looseMode: "other users may read it: its mode must be 0600"
    case .tooLarge: "it is too large"
    case .empty: "it has no credential"
    case .malformed: "what it says is malformed"
    case .unfit: "its credential does not fit the method"
    case .notStarted: "its program cannot be started"
    case .timedOut: "it did not answer in time"
    case .unreachable: "its token endpoint cannot be reached"
    case .untrusted: "the certificate of its token endpoint failed verification"
    case .unavailable: "its token endpoint cannot answer now: try again later"
    case .redirected: "its token endpoint redirects, which is not followed"
    case .clientRefused: "its token endpoint refuses the client: check its identifier and secret"
    case .grantRefused: "its token endpoint refuses the refresh token: replace it"
    case .requestRefused: "its token endpoint refuses the request: check grant and scope"
    case .tokensRefused: "the server refuses its tokens"
    case .accessDenied: "the person at its authorization server has refused access"
    case .codeExpired: "its codes have expired before a person has entered one"
    case .promptNeeded: "a person must enter a code, and no delegate can show it"
    case .unwritable: "its new refresh token cannot be written into its file"
    case .overloaded: "too many readings of sources wait: try again later"
    case .withdrawn: "the administrator has changed it"
    case .expired: "its credential has expired"
    case .stopped: "its helper ends the search for a credential"
    }
  }
}
