internal import Logging
internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordTransport

/// `server/reload` and SIGHUP (messages.md 11.4).
extension Daemon {
  /// One reading after the other: the last one counts.
  private static let configurationReading = BlockingPool(threads: 1)

  /// Reads the configuration file again, off the loop: its file system may hang. An invalid file changes
  /// nothing. A reading that changes the rules returns when all sessions follow them.
  ///
  /// - Throws: the file's fault, which is logged.
  func reload() async throws(ConfigurationFault) {
    guard let place = options.configuration else { return }
    let read = await Daemon.configurationReading.run {
      Result { () throws(ConfigurationFault) in try ConfigurationFile(place) }
    }
    do throws(ConfigurationFault) {
      await adopt(try read.get())
    } catch {
      logger.error("configuration not reloaded", metadata: ["reason": "\(error.text)"])
      throw error
    }
    logger.info("configuration reloaded")
  }

  private func adopt(_ file: ConfigurationFile) async {
    configurationMembers = file.members
    let (old, new) = (settings, file.settings)
    settings = new
    if let level = new.logLevel { logger.logLevel = level }
    for change in new.changes(since: options.settings) {
      logger.warning("\(change) with the next start only")
    }
    tokens.modules = new.pkcs11Modules
    sources.replace(with: new.credentialSources)
    for uid in vaults.open { noteUse(of: uid) }
    suspendWatcher.turn(on: new.agent.lockOnSuspend)
    guard new.transportSecurity != old.transportSecurity else { return }
    await registry.policyChanged()
    noteChange()
  }
}
