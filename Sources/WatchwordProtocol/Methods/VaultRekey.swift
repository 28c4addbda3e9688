package import WatchwordJSON

/// `vault/rekey`: seals every record under a new data key.
package enum VaultRekey {
  /// What opens the vault without a person.
  package enum Opener: String, CaseIterable, Sendable {
    case keyFile
    case secretService
  }

  package struct Parameters: Sendable {
    /// Takes the place of what did; nil: nothing changes.
    package let opener: Opener?

    package init(_ object: JSONObject?) throws(RPCError) {
      opener = try ParameterReader.decode(object) { reader throws(RPCError) in
        try reader.optionalEnumeration("opener", Opener.self)
      }
    }
  }
}
