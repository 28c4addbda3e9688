internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVault
internal import WatchwordVocabulary

/// Reads replies and lines of the store and opens their records, outside of the loop.
enum FleetReader {
  /// One thread: lines of a stream stay in their order.
  static let pool = BlockingPool(threads: 1)

  /// One account of the fleet, as the store has it.
  struct Place: Sendable {
    let keys: FleetKeys
    /// What the names of its records begin with.
    let prefix: String

    init?(_ key: Secret, uid: UInt32, under prefix: String) {
      guard let keys = FleetKeys(key, uid: uid) else { return nil }
      self.keys = keys
      self.prefix = "\(prefix)/\(keys.account)/"
    }

    func open(_ records: [EtcdReply.Record], _ clocks: CredentialRecord.Clocks) -> Opened {
      var opened = Opened()
      let start = Array(prefix.utf8)
      for record in records {
        guard record.name.starts(with: start) else {
          opened.foreign += 1
          continue
        }
        let name = String(decoding: record.name.dropFirst(start.count), as: UTF8.self)
        switch FleetRecord.open(
          record.value, named: name, revision: record.revision, under: keys, clocks)
        {
        case .state(let state):
          opened.states.append(state)
          opened.names.append(name)
        case .newer: opened.names.append(name)
        case .foreign: opened.foreign += 1
        }
      }
      return opened
    }
  }

  /// What records of the store are.
  struct Opened: Sendable {
    var states: [FleetCredential] = []
    /// Of what hosts of the fleet have written.
    var names: [String] = []
    /// Records that no host of the fleet has written there.
    var foreign = 0
  }
}

/// What the files of the configuration hold: read again for each connection, since they may be rotated.
struct FleetMaterial: Sendable {
  /// The contents of the key file.
  let key: Secret
  let password: Secret?
  let roots: String?
  let identity: ClientIdentity?

  /// Blocks.
  init(_ settings: SynchronizationSettings, wallClock: Double) throws(SynchronizationFault) {
    do throws(SourceFault) {
      key = try SourceFile.contents(settings.keyFile)
      password = try settings.user.map { user throws(SourceFault) in
        let line = try SourceFile.line(user.passwordFile)
        guard line.withBytes({ String(validating: $0, as: UTF8.self) != nil }) else { throw .malformed }
        return line
      }
      roots = try settings.roots.map(SourceFile.text)
      identity = try settings.identity.map { identity throws(SourceFault) in
        let material = IdentityMaterial.pem(
          certificates: try SourceFile.text(identity.certificate),
          privateKey: try SourceFile.contents(identity.privateKey), passphrase: nil)
        guard let read = try? ClientIdentity(material, wallClock: wallClock) else { throw .malformed }
        return read
      }
    } catch {
      throw .fileUnusable
    }
  }
}
