package import WatchwordJSON

/// `peer/restrict`: the connection gives up every right but to fetch by rules.
package enum PeerRestrict {
  package static func write(
    session: String, restriction: String, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.member("session", session)
    writer.member("restriction", restriction)
    writer.endObject()
  }
}
