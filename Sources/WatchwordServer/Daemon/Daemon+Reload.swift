internal import Logging
internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordTransport

/// `server/reload` and SIGHUP (messages.md 11.4).
extension Daemon {
  /// One reading after the other: the last one counts.
  private static let configurationReading = BlockingPool(threads: 1)

  /// Reads the configuration file again, off the loop: its file system may hang. An invalid file changes
  /// nothing.
  ///
  /// - Parameter then: takes its fault, which is logged.
  func reload(then: @escaping (ConfigurationFault?) -> Void) {
    guard let place = options.configuration else { return then(nil) }
    Daemon.configurationReading.submit {
      Result { () throws(ConfigurationFault) in try ConfigurationFile(place) }
    } then: { [self] result in
      adopt(result, then: then)
    }
  }

  /// - Parameter then: called when all sessions follow the new rules, or with a fault.
  private func adopt(
    _ result: Result<ConfigurationFile, ConfigurationFault>, then: @escaping (ConfigurationFault?) -> Void
  ) {
    let file: ConfigurationFile
    do throws(ConfigurationFault) {
      file = try result.get()
    } catch {
      logger.error("configuration not reloaded", metadata: ["reason": "\(error.text)"])
      return then(error)
    }
    configurationMembers = file.members
    if let level = file.logLevel { logger.logLevel = level }
    if file.isHostWide != options.isHostWide { logger.warning("access changes with the next start only") }
    if file.historyPath != options.historyPath {
      logger.warning("historyFile changes with the next start only")
    }
    if file.historyJournal != options.historyJournal {
      logger.warning("historyJournal changes with the next start only")
    }
    if file.restrictedSockets != options.restrictedSockets {
      logger.warning("restrictedSockets change with the next start only")
    }
    if file.vaultCredential != options.vaultCredential || file.usesSecretService != options.usesSecretService
    {
      logger.warning("vault changes with the next start only")
    }
    if file.synchronization != options.synchronization {
      logger.warning("synchronization changes with the next start only")
    }
    tokens.modules = file.tokenModules
    kerberosFiles = file.kerberosFiles
    sources.replace(with: file.sources)
    idleLockSeconds = file.idleLockSeconds
    for uid in vaults.open { noteUse(of: uid) }
    suspendWatcher.turn(on: file.locksOnSuspend)
    let end: @ReactorActor () -> Void = { [self] in
      logger.info("configuration reloaded")
      then(nil)
    }
    guard file.policy != policy else { return end() }
    policy = file.policy
    registry.policyChanged { [self] in
      noteChange()
      end()
    }
  }
}
