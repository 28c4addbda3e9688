package import WatchwordCore
package import WatchwordVocabulary

/// The members of `SessionConfiguration`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct SessionConfigurationMembers: Sendable {
  /// Authentication methods.
  package struct Methods: Sendable {
    /// What Digest may do.
    package struct Digest: Sendable {
      /// Whether a nonce that has served goes with the next request, before the server asks (methods.md 8.8).
      package let preemptive: MethodPolicy.Digest.Preemptive

      package init(_ reader: inout ParameterReader) throws(RPCError) {
        preemptive = try reader["preemptive"]?.enumeration(MethodPolicy.Digest.Preemptive.self) ?? .auto
      }
    }

    /// What Negotiate may do.
    package struct Negotiate: Sendable {
      /// Origins, or proxies as http://host:port or https://host:port, to which the tickets of the daemon's
      /// uid are sent without a reply (methods.md 14.9, 15.13).
      package let ambientOrigins: [String]
      /// Whether the server may act with the user's tickets.
      package let delegate: Bool
      /// Whether NTLM may be the mechanism inside a negotiation (methods.md 14.10).
      package let allowNTLM: Bool

      package init(_ reader: inout ParameterReader) throws(RPCError) {
        ambientOrigins =
          try reader["ambientOrigins"]?.array(maximum: 1024) { element throws(RPCError) in
            try element.string(maximumBytes: Int.max)
          } ?? []
        delegate = try reader["delegate"]?.bool() ?? false
        allowNTLM = try reader["allowNTLM"]?.bool() ?? false
      }
    }

    /// Which offers come first: a list, or the server's order. Methods left out come after those named, by
    /// strength (challenges.md 6.4).
    package let order: MethodPolicy.Order?
    /// Methods that are no offers at all.
    package let disabled: [AuthenticationMethod]?
    /// Whether stored and URL credentials may be used for Basic over http to a host other than loopback,
    /// and credentials, tokens too, go there with the first request. An explicit reply is always possible
    /// (challenges.md 6.7).
    package let basicOverCleartext: Bool
    /// Only the strongest offer of a response counts, and none weaker than any that the origin made before
    /// (challenges.md 6.6).
    package let strongestOnly: Bool
    /// What Digest may do.
    package let digest: Digest?
    /// What Negotiate may do.
    package let negotiate: Negotiate?

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      order = try reader["order"]?.offerOrder()
      disabled = try reader["disabled"]?.offerMethods(maximum: 5)
      basicOverCleartext = try reader["basicOverCleartext"]?.bool() ?? false
      strongestOnly = try reader["strongestOnly"]?.bool() ?? false
      digest = try reader["digest"]?.object(Digest.init)
      negotiate = try reader["negotiate"]?.object(Negotiate.init)
    }
  }

  /// How challenges end.
  package struct Challenges: Sendable {
    /// How long a challenge waits for its reply.
    package let deadlineSeconds: Double
    /// What the deadline answers (challenges.md 5.11).
    package let unanswered: UnansweredMeaning
    /// Refusals per protection space and task before the 401 is delivered.
    package let refusalBudget: Int

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      deadlineSeconds = try reader["deadlineSeconds"]?.number(in: 0.001...86_400) ?? 300
      unanswered = try reader["unanswered"]?.enumeration(UnansweredMeaning.self) ?? .cancel
      refusalBudget = try reader["refusalBudget"]?.integer(in: 1...100) ?? 5
    }
  }

  /// TLS to origins.
  package struct TLS: Sendable {
    /// Further roots, or other ones.
    package struct Roots: Sendable {
      /// Certificates in PEM, 512 at most.
      package let certificates: String
      /// Only these roots instead of these and the system's.
      package let exclusive: Bool

      package init(_ reader: inout ParameterReader) throws(RPCError) {
        certificates = try reader.required("certificates").string(maximumBytes: 1_048_576, minimumBytes: 1)
        exclusive = try reader["exclusive"]?.bool() ?? false
      }
    }

    /// The members of `pin`.
    package struct Pin: Sendable {
      /// A host, or *. and a name: every host below it, at any depth.
      package let host: HostPattern
      /// Of which the chain has to hold one: the server's key or that of an issuer.
      package let publicKeys: [Fingerprint]
      /// A chain without one is counted (pins.reported) and logged, and goes on.
      package let reportOnly: Bool

      package init(_ reader: inout ParameterReader) throws(RPCError) {
        host = try reader.required("host").hostPattern(maximumBytes: 255)
        publicKeys = try reader.required("publicKeys").publicKeys(maximum: 64, minimum: 1)
        reportOnly = try reader["reportOnly"]?.bool() ?? false
      }
    }

    /// Further roots, or with exclusive the only ones; at most 1 MiB.
    package let roots: Roots?
    /// Not above the maximum.
    package let minimumVersion: SessionConfiguration.TLSBound
    /// Not below the minimum.
    package let maximumVersion: SessionConfiguration.TLSBound
    /// Every rule for a host has to be met; else pinMismatch (messages.md 14.3).
    package let pins: [Pin]
    /// stapled: an OCSP response that the server sends is checked; required: there has to be a good one, or
    /// a list of the certificate's issuer. What a certificate itself insists on (RFC 7633) is checked with
    /// off, too (messages.md 14.4).
    package let revocation: SessionConfiguration.Revocation
    /// PEM, at most 1 MiB and 512 lists, each for 64 distribution points at most. A certificate whose
    /// issuer has a list here is looked up in it; a list that has expired says nothing, which is
    /// revocationUnknown.
    package let revocationLists: String?

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      roots = try reader["roots"]?.unlessNull?.object(Roots.init)
      minimumVersion =
        try reader["minimumVersion"]?.enumeration(SessionConfiguration.TLSBound.self) ?? .tls12
      maximumVersion =
        try reader["maximumVersion"]?.enumeration(SessionConfiguration.TLSBound.self) ?? .tls13
      pins =
        try reader["pins"]?.array(maximum: 256) { element throws(RPCError) in
          try element.object(Pin.init)
        } ?? []
      revocation = try reader["revocation"]?.enumeration(SessionConfiguration.Revocation.self) ?? .off
      revocationLists = try reader["revocationLists"]?.unlessNull?.string(maximumBytes: 1_048_576)
    }
  }

  /// What a 3xx does (messages.md, section 9).
  package struct Redirects: Sendable {
    /// follow; manual: deliver the 3xx; ask: task/willRedirect.
    package let policy: RedirectPolicy.Mode
    /// Redirects in one task.
    package let limit: Int
    /// Whether https may lead to http.
    package let allowDowngrade: Bool

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      policy = try reader["policy"]?.enumeration(RedirectPolicy.Mode.self) ?? .follow
      limit = try reader["limit"]?.integer(in: 0...50) ?? 20
      allowDowngrade = try reader["allowDowngrade"]?.bool() ?? false
    }
  }

  /// Bounds on response bodies.
  package struct Limits: Sendable {
    /// The largest body that travels inside a reply.
    package let inlineBodyBytes: Int
    /// The largest body that travels as a memory file (output auto).
    package let memoryBodyBytes: Int
    /// The largest body after decoding; null: no limit.
    package let decodedBodyBytes: Int?

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      inlineBodyBytes = try reader["inlineBodyBytes"]?.integer(in: 0...67_108_864) ?? 8_388_608
      memoryBodyBytes = try reader["memoryBodyBytes"]?.integer(in: 0...Int.max) ?? 268_435_456
      decodedBodyBytes = try reader["decodedBodyBytes"]?.unlessNull?.integer(in: 0...Int.max)
    }
  }

  /// Where the session may connect.
  package struct Addresses: Sendable {
    /// host:port to address, instead of name resolution; each host and port once.
    package let resolve: [SessionConfiguration.Resolution]?
    /// The only origins that this session fetches, each scheme://host or scheme://host:port; null: all.
    package let allowOrigins: [String]?
    /// Refuse loopback, link-local and private addresses, checked when connecting.
    package let refusePrivate: Bool

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      resolve = try reader["resolve"]?.resolutions(maximum: 4096)
      allowOrigins =
        try reader["allowOrigins"]?.unlessNull?.array(maximum: 1024) { element throws(RPCError) in
          try element.string(maximumBytes: Int.max)
        }
      refusePrivate = try reader["refusePrivate"]?.bool() ?? false
    }
  }

  /// Secret.
  package struct Netrc: Sendable {
    /// The text of a netrc file. Secret.
    package let text: WatchwordCore.Netrc?
    /// Instead of text: a file that is not UTF-8. Secret.
    package let base64: WatchwordCore.Netrc?

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      text = try reader["text"]?.netrc(maximumBytes: 65_536)
      base64 = try reader["base64"]?.netrcOctets(maximumBytes: 87_384)
    }
  }

  /// Whether the session goes by what is permanent and may add to it; private: an ephemeral session,
  /// without permanent credentials and decisions.
  package let credentialStorage: SessionConfiguration.CredentialStorage
  /// Authentication methods.
  package let methods: Methods?
  /// How challenges end.
  package let challenges: Challenges?
  /// TLS to origins.
  package let tls: TLS?
  /// Which proxies lead to the origins of the session (messages.md 14.8).
  package let proxies: SessionConfiguration.Proxies?
  /// What a 3xx does (messages.md, section 9).
  package let redirects: Redirects?
  /// Defaults for the session's tasks.
  package let timeouts: TimeoutsMembers?
  /// Fields added to every request of the session that does not set them itself.
  package let headers: [HeaderField]?
  /// Which cookies the session keeps (messages.md, section 10).
  package let cookies: SessionConfiguration.Cookies
  /// Not in this version: only none (messages.md 14.2).
  package let cache: String
  /// How long a named session outlives its last holder and task.
  package let idleSeconds: Double
  /// Connections to one host, those of HTTP/2 and of HTTP/1.1 counted apart; with 1, of all together.
  package let connectionsPerHost: Int
  /// HTTP versions to use; the server chooses among them.
  package let httpVersions: [SessionConfiguration.HTTPVersion]?
  /// Bounds on response bodies.
  package let limits: Limits?
  /// Where the session may connect.
  package let addresses: Addresses?
  /// Users and passwords of hosts, which the session may use (messages.md 14.7).
  package let netrc: Netrc?
  /// Pages that are login forms: a task that meets one raises a challenge (messages.md 14.14).
  package let forms: [SessionConfiguration.Form]

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    credentialStorage =
      try reader["credentialStorage"]?.enumeration(SessionConfiguration.CredentialStorage.self) ?? .shared
    methods = try reader["methods"]?.object(Methods.init)
    challenges = try reader["challenges"]?.object(Challenges.init)
    tls = try reader["tls"]?.object(TLS.init)
    proxies = try reader["proxies"]?.proxies()
    redirects = try reader["redirects"]?.object(Redirects.init)
    timeouts = try reader["timeouts"]?.object(TimeoutsMembers.init)
    headers = try reader["headers"]?.headers(maximum: 256)
    cookies = try reader["cookies"]?.enumeration(SessionConfiguration.Cookies.self) ?? .accept
    cache = try reader["cache"]?.onlyNone() ?? "none"
    idleSeconds = try reader["idleSeconds"]?.number(in: 0...315_360_000) ?? 28_800
    connectionsPerHost = try reader["connectionsPerHost"]?.integer(in: 1...256) ?? 6
    httpVersions = try reader["httpVersions"]?.httpVersions(maximum: 2, minimum: 1)
    limits = try reader["limits"]?.object(Limits.init)
    addresses = try reader["addresses"]?.object(Addresses.init)
    netrc = try reader["netrc"]?.unlessNull?.object(Netrc.init)
    forms =
      try reader["forms"]?.array(maximum: 64) { element throws(RPCError) in
        try element.loginForm()
      } ?? []
  }
}
