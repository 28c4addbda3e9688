package import WatchwordCore
package import WatchwordMessages
internal import WatchwordVocabulary

/// As `credential/history` and `status` show it.
extension HistoryEntry: Describing {
  private var isOfKey: Bool { authenticationMethod == .key }

  package var sent: Sent.HistoryEntry {
    Sent.HistoryEntry(
      time: Timestamp.text(time), outcome: outcome.rawValue, session: session, origin: origin?.description,
      authenticationMethod: authenticationMethod?.rawValue, realm: isOfKey ? nil : realm?.text,
      realmBytes: isOfKey ? nil : realm?.sentBytes, field: isOfKey ? realm?.text : nil, isProxy: isProxy,
      user: user, identity: identity, pid: process?.pid.map { Int($0) },
      asked: asked.compactMap(\.pid).map { Int($0) }, answeredBy: answeredBy?.pid.map { Int($0) },
      reason: restriction == nil ? nil : reason?.rawValue,
      restriction: reason == nil ? nil : restriction?.description, uses: uses)
  }
}
