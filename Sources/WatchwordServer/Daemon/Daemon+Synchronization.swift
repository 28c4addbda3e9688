internal import Glibc
internal import Logging
internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordVocabulary

/// The store of the fleet, if the configuration names one.
extension Daemon: SynchronizationEnvironment {
  var isSynchronized: Bool { options.settings.synchronization != nil }

  /// The vaults that there are, and the daemon's own account; others follow when they connect.
  func beginSynchronization() {
    guard let synchronizer else { return }
    hasBegunSynchronization = true
    for uid in vaults.knownAccounts.union(options.isHostWide ? [] : [getuid()]) { synchronizer.note(uid) }
  }

  func vaultChanged(of uid: UInt32) {
    if hasBegunSynchronization { synchronizer?.note(uid) }
  }

  func synchronizationChanged(_ note: Synchronizer.Note?) {
    switch note {
    case .watching(let endpoint):
      logger.notice("synchronization begun", metadata: ["endpoint": "\(endpoint)"])
    case .fault(let fault, let endpoint):
      logger.warning(
        "synchronization disturbed", metadata: ["reason": "\(fault.rawValue)", "endpoint": "\(endpoint)"])
    case .foreign(let count):
      logger.warning("records of the fleet that do not open", metadata: ["count": "\(count)"])
    case nil: break
    }
    noteChange()
    idleExit.synchronizationChanged()
  }
}
