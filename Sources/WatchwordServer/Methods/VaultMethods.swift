internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVault

/// `vault/*`: the vault of the caller's uid.
@ReactorActor
enum VaultMethods {
  static func make(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let passphrase = try VaultInitParameters(object).passphrase
    change(daemon, call) { account in await account.make(passphrase) }
  }

  static func setPassphrase(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try VaultPassphraseParameters(object)
    change(daemon, call) { account in
      await account.run { [place = account.place] (vault) throws(VaultFault) in
        try vault.setPassphrase(
          parameters.passphrase, keepsOthers: parameters.keepOthers, place?.keys() ?? Vault.GivenKeys())
      }
    }
  }

  static func rekey(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let opener = try VaultRekeyParameters(object).opener
    change(daemon, call) { account in
      await account.run { [place = account.place] (vault) throws(VaultFault) in
        let kind: Vault.Opener.Kind? =
          switch opener {
          case .keyFile: .keyFile
          case .secretService: .secretService
          case nil: nil
          }
        try vault.rekey(place?.keys() ?? Vault.GivenKeys(), to: kind)
      }
    }
  }

  static func check(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    _ = try NoParameters(object)
    let account = account(daemon, call)
    call.answer { () async throws(RPCError) in
      let (findings, contents) = try await account.run {
        [clocks = account.clocks] (vault) throws(VaultFault) in
        let findings = try vault.check()
        return (findings, VaultContents(findings.contents, clocks))
      }.value()
      return Sent.VaultReport(
        records: findings.contents.records.count, credentials: contents.credentials.count,
        trust: contents.trust.count, identities: contents.identities.count,
        unreadable: contents.unreadable, complaint: findings.complaint)
    }
  }

  static func export(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try VaultTransferParameters(object)
    let account = account(daemon, call)
    call.answer { () async throws(RPCError) in
      try await VaultExporting.export(parameters, of: account, within: daemon.budget, for: call)
    }
  }

  static func importCredentials(
    _ daemon: Daemon, _ call: Call, _ object: JSONNode?
  ) throws(RPCError) {
    let parameters = try VaultTransferParameters(object)
    let account = account(daemon, call)
    call.begin { () async throws(RPCError) in
      try await VaultImporting.merge(parameters, into: account, within: daemon.budget, for: call) {
        daemon.changes(of: call.peer.process.uid).add(.trustRemoved)
      }
    }
  }

  private static func account(_ daemon: Daemon, _ call: Call) -> VaultAccount {
    daemon.vaults.account(of: call.peer.process.uid)
  }

  /// - Parameter work: changes the vault, not what it holds.
  private static func change(
    _ daemon: Daemon, _ call: Call,
    _ work: @escaping @ReactorActor (VaultAccount) async -> Result<Void, VaultFault>
  ) {
    let account = account(daemon, call)
    call.answer { () async throws(RPCError) in
      try await work(account).value()
      daemon.noteChange()
    }
  }
}
