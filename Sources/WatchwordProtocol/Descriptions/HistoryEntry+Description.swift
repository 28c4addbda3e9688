package import WatchwordCore
package import WatchwordJSON
internal import WatchwordVocabulary

extension HistoryEntry {
  /// As `credential/history` and `status` show it.
  ///
  /// - Parameter uid: for the file of all accounts.
  package func write(to writer: inout JSONWriter, uid: UInt32? = nil) {
    writer.beginObject()
    if let uid { writer.member("uid", Int(uid)) }
    writer.member("time", Timestamp.text(time))
    writer.member("outcome", outcome.rawValue)
    writer.member("session", session)
    writer.member("origin", origin?.description)
    writer.member("authenticationMethod", authenticationMethod?.rawValue)
    writer.realm(realm)
    writer.member("isProxy", isProxy)
    writer.member("user", user)
    if let identity { writer.member("identity", identity) }
    writer.member("pid", process.map { Int64($0) })
    writer.key("asked")
    writer.beginArray()
    for process in asked { writer.integer(Int(process)) }
    writer.endArray()
    writer.member("answeredBy", answeredBy.map { Int64($0) })
    if let reason, let restriction {
      writer.member("reason", reason.rawValue)
      writer.member("restriction", restriction.description)
    }
    writer.member("uses", uses)
    writer.endObject()
  }
}
