internal import WatchwordVocabulary

/// Connections that are authenticated with a credential (methods.md 14.3).
extension SessionState {
  /// Resumes the tasks that have a connection now, and closes connections that are not used again.
  mutating func giveConnections(at moment: Moment) {
    close(credentials.bound.takeClosed())
    for account in credentials.bound.takeEnded() { effects.append(.forgetTickets(account: account)) }
    for holder in credentials.bound.takeGranted() { follow(.turn(holder.task), at: moment) }
  }

  /// A credential of the space has changed: connections under the former one are not used again.
  mutating func endConnections(of space: ProtectionSpace) {
    let current = credentials.kinds(of: space)
    credentials.bound.end(space) { current.contains($0) }
  }
}
