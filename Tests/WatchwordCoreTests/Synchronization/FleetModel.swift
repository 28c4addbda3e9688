import WatchwordVocabulary

@testable import WatchwordCore

/// What a store has under a name.
struct FleetModelRecord {
  let revision: Int64
  let state: (Int64) -> FleetCredential
}

/// A model of etcd: a write succeeds only if nothing was written since its host read.
struct FleetModelStore {
  var revision: Int64 = 0
  var records: [CredentialKey: FleetModelRecord] = [:]

  mutating func write(_ outgoing: OutgoingCredential) -> (isWritten: Bool, revision: Int64) {
    let entry = outgoing.entry
    let key = CredentialKey(space: entry.space, user: entry.credential.user)
    guard (records[key]?.revision ?? 0) == outgoing.revision else { return (false, revision) }
    revision += 1
    let content: FleetCredential.Content =
      outgoing.isRemoval
      ? .removed
      : .credential(
        ImportedCredential(
          space: entry.space, credential: entry.credential, isDefault: entry.isDefault,
          record: entry.record))
    let version = outgoing.version
    records[key] = FleetModelRecord(revision: revision) {
      FleetCredential(key: key, version: version, revision: $0, content)
    }
    return (true, revision)
  }

  func state(_ key: CredentialKey) -> FleetCredential {
    records[key].map { $0.state($0.revision) }
      ?? FleetCredential(key: key, version: 0, revision: 0, .absent)
  }

  var states: [FleetCredential] { records.keys.map(state) }
}

/// A host with its disk.
struct FleetModelHost {
  var credentials = PermanentCredentials()
  /// What is on the disk.
  var disk: [UInt64: CachedCredential] = [:]

  mutating func change(_ change: PermanentCredentials.Change, now: Double) throws {
    let plan = try credentials.plan(change, now: now)
    for number in plan.removed { disk[number] = nil }
    for entry in plan.added + plan.updated { disk[entry.generation] = entry }
    _ = credentials.apply(plan)
    for request in credentials.takeRequests() { try self.change(request, now: now) }
  }

  mutating func restart() { credentials = PermanentCredentials(Array(disk.values)) }

  mutating func readWhole(_ store: FleetModelStore, now: Double) throws {
    credentials.readingBegins()
    try change(.adopt(store.states), now: now)
    try change(.noteMissing(except: Set(store.records.keys)), now: now)
  }

  /// - Parameter losesReply: whether the store writes it and the host does not hear of it.
  mutating func writeNext(_ store: inout FleetModelStore, losesReply: Bool, now: Double) throws {
    guard let outgoing = credentials.outgoing else { return }
    credentials.noteSent(outgoing)
    let (isWritten, revision) = store.write(outgoing)
    if losesReply { return }
    if isWritten {
      try change(.acknowledge(outgoing, revision: revision), now: now)
    } else {
      let key = CredentialKey(space: outgoing.entry.space, user: outgoing.entry.credential.user)
      try change(.adopt([store.state(key)]), now: now)
    }
  }

  var summary: [String] {
    credentials.all.map { entry in
      let secret: String =
        if case .password(_, let password) = entry.credential.kind {
          password.withBytes { String(decoding: $0, as: UTF8.self) }
        } else { "" }
      return "\(entry.space.origin) \(entry.credential.user ?? "") \(secret) \(entry.isDefault)"
    }.sorted()
  }
}
