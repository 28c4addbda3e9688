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
    let parameters = try VaultInitParameters(object)
    account(daemon, call).make(parameters.passphrase) { finish($0, daemon, call) }
  }

  static func setPassphrase(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try VaultPassphraseParameters(object)
    let account = account(daemon, call)
    account.run { [place = account.place] (vault) throws(VaultFault) in
      try vault.setPassphrase(
        parameters.passphrase, keepsOthers: parameters.keepOthers, place?.keys() ?? Vault.GivenKeys())
    } then: {
      finish($0, daemon, call)
    }
  }

  static func rekey(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let opener = try VaultRekeyParameters(object).opener
    let account = account(daemon, call)
    account.run { [place = account.place] (vault) throws(VaultFault) in
      let kind: Vault.Opener.Kind? =
        switch opener {
        case .keyFile: .keyFile
        case .secretService: .secretService
        case nil: nil
        }
      try vault.rekey(place?.keys() ?? Vault.GivenKeys(), to: kind)
    } then: {
      finish($0, daemon, call)
    }
  }

  static func check(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    _ = try NoParameters(object)
    let account = account(daemon, call)
    account.run { [clocks = account.clocks] (vault) throws(VaultFault) in
      let findings = try vault.check()
      return (findings, VaultContents(findings.contents, clocks))
    } then: { result in
      call.proceed(with: result) { findings, contents in
        let report = Sent.VaultReport(
          records: findings.contents.records.count, credentials: contents.credentials.count,
          trust: contents.trust.count, identities: contents.identities.count,
          unreadable: contents.unreadable, complaint: findings.complaint)
        call.succeed(report)
      }
    }
  }

  static func export(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    try VaultExporting.begin(
      VaultTransferParameters(object), of: account(daemon, call), within: daemon.budget, call)
  }

  static func importCredentials(
    _ daemon: Daemon, _ call: Call, _ object: JSONNode?
  ) throws(RPCError) {
    try VaultImporting.begin(
      VaultTransferParameters(object), into: account(daemon, call), within: daemon.budget, call
    ) { [unowned daemon] in
      daemon.changes(of: call.peer.process.uid).add(.trustRemoved)
    }
  }

  private static func account(_ daemon: Daemon, _ call: Call) -> VaultAccount {
    daemon.vaults.account(of: call.peer.process.uid)
  }

  private static func finish(_ result: Result<Void, VaultFault>, _ daemon: Daemon, _ call: Call) {
    call.proceed(with: result) {
      call.succeed { $0.emptyObject() }
      daemon.noteChange()
    }
  }
}
