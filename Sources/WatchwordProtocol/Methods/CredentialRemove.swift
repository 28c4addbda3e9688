internal import WatchwordCore
package import WatchwordJSON
package import WatchwordVocabulary

/// `credential/remove`: removes one user's credential of a space, or all of them.
package enum CredentialRemove {
  package struct Parameters: Sendable {
    package let session: String?
    package let spaces: [ProtectionSpace]
    package let user: String?
    package let path: NamedPath

    package init(_ object: JSONObject?) throws(RPCError) {
      (session, spaces, user, path) = try ParameterReader.decode(object) { reader throws(RPCError) in
        (
          try reader.optionalName("session"), try reader.protectionSpaces("protectionSpace"),
          try reader.optionalString("user", maximumBytes: 4096), try reader.namedPath("path")
        )
      }
    }
  }
}

extension ParameterReader {
  /// A path of `credential/set`'s limits; null for what has none.
  fileprivate mutating func namedPath(_ name: String) throws(RPCError) -> NamedPath {
    switch member(name) {
    case nil: .any
    case .null: .whole
    case .some: .only(try string(name, maximumBytes: 8192))
    }
  }
}
