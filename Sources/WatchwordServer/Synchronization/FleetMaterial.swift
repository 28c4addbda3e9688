internal import WatchwordCore
internal import WatchwordSecret
internal import WatchwordTransport

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
