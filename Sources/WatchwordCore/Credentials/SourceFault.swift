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

extension SourceFault: Error {
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
