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
    let end: @ReactorActor () -> Void = { [self] in
      logger.info("configuration reloaded")
      then(nil)
    }
    guard new.transportSecurity != old.transportSecurity else { return end() }
    registry.policyChanged { [self] in
      noteChange()
      end()
    }
  }
}
