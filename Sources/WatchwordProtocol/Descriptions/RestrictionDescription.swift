package import WatchwordCore
package import WatchwordJSON
package import WatchwordVocabulary

/// What restricted connections may fetch, and what they have made of it: in `session/describe` and `status`.
package struct RestrictionDescription {
  package let identifier: RestrictionIdentifier
  package let restriction: Restriction
  /// Connections that it restricts now.
  package let connections: Int
  /// The administrator's socket that it is of.
  package let socket: String?
  package let secondsLeft: Double?

  package init(
    _ identifier: RestrictionIdentifier, _ restriction: Restriction, connections: Int, socket: String?,
    now: Double
  ) {
    self.identifier = identifier
    self.restriction = restriction
    self.connections = connections
    self.socket = socket
    secondsLeft = restriction.expires.map { max(0, $0 - now) }
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("restriction", identifier.description)
    writer.key("rules")
    writer.beginArray()
    for entry in restriction.entries { RestrictionDescription.write(entry, to: &writer) }
    writer.endArray()
    writer.member("socket", socket)
    writer.member("connections", connections)
    writer.member("uses", restriction.uses)
    writer.member("violations", restriction.violations)
    writer.key("lastViolation")
    if let last = restriction.lastViolation {
      writer.beginObject()
      writer.member("time", Timestamp.text(last.time))
      writer.member("reason", last.fault.reason.rawValue)
      writer.member("origin", last.fault.origin?.description)
      writer.endObject()
    } else {
      writer.null()
    }
    writer.member("secondsLeft", secondsLeft)
    writer.endObject()
  }

  private static func write(_ entry: Restriction.Entry, to writer: inout JSONWriter) {
    let rule = entry.rule
    writer.beginObject()
    writer.key("methods")
    if let methods = rule.methods { writer.strings(methods.sorted()) } else { writer.null() }
    writer.member("origin", rule.origin.description)
    writer.member("path", rule.path.description)
    writer.member("requestBytes", rule.requestBytes)
    writer.member("responseBytes", rule.responseBytes)
    writer.member("perMinute", rule.perMinute)
    writer.member("uses", entry.uses)
    writer.endObject()
  }
}
