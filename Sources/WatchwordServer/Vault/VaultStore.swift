internal import Glibc
internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVault

/// What the vaults need of the daemon around them.
@ReactorActor
protocol VaultEnvironment: AnyObject {
  var counters: Counters { get }
  var budget: MemoryBudget { get }
  func note(_ note: VaultStore.Note)
  /// - Parameter then: called when all sessions of the uid have followed what has changed.
  func whenFollowed(by uid: UInt32, _ then: @escaping @ReactorActor () -> Void)
  func permanentCredentialsChanged(_ alteration: PermanentCredentials.Alteration, of uid: UInt32)
  func permanentIdentitiesChanged(_ changes: [PermanentIdentityChange], of uid: UInt32)
  /// The contents of a vault have come into memory.
  func permanentContentsRead(of uid: UInt32)
  /// A vault was opened, left or written: synchronization may have something to do.
  func vaultChanged(of uid: UInt32)
}

/// The vaults of all accounts: one for each uid, opened when the daemon starts and made when there is
/// something to keep.
@ReactorActor
final class VaultStore {
  /// A message for a person.
  enum Note {
    /// A vault was made, and why the Secret Service does not open it when it was asked.
    case made(String, refusal: String?)
    case unreadable(Int, String)
    case unavailable(String)
    /// It waits for its passphrase.
    case locked(String)
  }

  private static let prefix = "vault-"

  private let place: StatePlace?
  private let systemdCredential: String?
  private let secretService: SecretServiceUse
  /// The daemon, which lives as long as the process.
  private unowned let environment: any VaultEnvironment
  /// SQLite's one thread: writes wait for each other, and never for files of callers.
  private static let worker = BlockingPool(threads: 1)
  private var accounts: [UInt32: VaultAccount] = [:]
  private var isClosed = false

  /// - Parameters:
  ///   - systemdCredential: the name of the one that opens vaults; nil: none does.
  ///   - secretService: for the vault of the daemon's own account.
  init(
    _ place: StatePlace?, systemdCredential: String? = nil,
    secretService: SecretServiceUse = .not("it is not used here"), _ environment: any VaultEnvironment
  ) {
    self.place = place
    self.systemdCredential = systemdCredential
    self.secretService = secretService
    self.environment = environment
  }

  /// Reads the vaults that there are before the first peer is served.
  ///
  /// - Parameter derived: what the previous daemon has made of passphrases.
  func open(with derived: [UInt32: DerivedKey] = [:]) {
    guard let place else { return }
    for uid in VaultFile.accounts(in: place, prefix: VaultStore.prefix) {
      account(of: uid).open(with: derived[uid])
    }
  }

  /// What has been made of the passphrases of open vaults.
  var derivedKeys: [UInt32: DerivedKey] { accounts.compactMapValues { $0.file?.vault.passphraseKey } }

  /// Leaves the files to the next daemon; what is in memory still serves running tasks.
  func close() {
    isClosed = true
    for account in accounts.values { account.close() }
  }

  /// Returns when all files are left.
  func released() async {
    await joinAll(accounts.values) { await $0.released() }
  }

  /// Returns when what is decrypted is wiped: of one uid, or of all.
  func forget(_ uid: UInt32?) async {
    await joinAll(accounts.filter { uid == nil || $0.key == uid }.values) { await $0.forget() }
  }

  /// The accounts with an open vault.
  var open: [UInt32] { accounts.filter(\.value.isOpen).map(\.key).sorted() }

  /// The account whose contents are to be read before they are used: they were wiped, or could not be read
  /// yet.
  func unreadAccount(of uid: UInt32) -> VaultAccount? {
    accounts[uid].flatMap { $0.isToBeRead ? $0 : nil }
  }

  /// Those whose vault was asked for.
  var knownAccounts: Set<UInt32> { Set(accounts.keys) }

  func account(of uid: UInt32) -> VaultAccount {
    if let account = accounts[uid] { return account }
    let inner = place.map {
      VaultPlace(
        state: $0.inner("\(VaultStore.prefix)\(uid)"), outer: $0, systemdCredential: systemdCredential,
        secretService: uid == getuid() ? secretService : .not("it belongs to another uid"))
    }
    let account = VaultAccount(uid, at: inner, worker: VaultStore.worker, environment)
    accounts[uid] = account
    if isClosed { account.close() }
    return account
  }
}
