package import WatchwordVocabulary

/// Spaces whose credential comes from one of the administrator's sources, which is read again when the
/// credential is refused or over (storage.md 9.7).
package struct SourceBindings: Sendable {
  package struct Binding: Sendable, Equatable {
    /// - Parameter limits: those that the caller gives.
    package init(
      _ name: String, _ persistence: Persistence, _ limits: CredentialLimits, owner: ProcessIdentifier?
    ) {
      self.name = name
      self.persistence = persistence
      self.limits = limits
      self.owner = owner
    }

    package let name: String
    package let persistence: Persistence
    package let limits: CredentialLimits
    /// Whether what the source gives goes with the first request.
    package var isPreemptive = false
    /// Of a key: what stands in front of it in its field.
    package var prefix = ""
    /// The process that gave it.
    package let owner: ProcessIdentifier?
    /// Wall-clock seconds since 1970 at which it is read ahead of its credential's end; nil: not.
    fileprivate(set) var renewal: Double?
  }

  /// Enough for the sources of one session; a credential beyond it is used, and not renewed.
  package static let capacity = 256

  private var bindings: [ProtectionSpace: Binding] = [:]
  /// What the sources of these spaces gave last.
  private var refused: [ProtectionSpace: RefusedSource] = [:]
  /// What they want to be told of that.
  var receipts = SourceReceipts()
  /// Spaces whose source is being read without a challenge.
  private var renewing: Set<ProtectionSpace> = []
  /// The smallest `renewal`.
  private var soonest = Double.infinity

  /// Origins for which a source was named.
  private var guarded: Set<Origin> = []
  /// Those of them whose credentials are removed, and tasks that may carry one still.
  private var formerlyGuarded: Set<Origin> = []
  private var formerTasks: Set<TaskIdentifier> = []

  package init() {}

  var isGuardingOrigins: Bool { !guarded.isEmpty || !formerlyGuarded.isEmpty }

  func isGuarded(_ origin: Origin) -> Bool {
    guarded.contains(origin) || formerlyGuarded.contains(origin)
  }

  /// - Returns: false when there are too many.
  mutating func guardOrigin(_ origin: Origin) -> Bool {
    guard guarded.contains(origin) || guarded.count < Self.capacity else { return false }
    guarded.insert(origin)
    return true
  }

  /// The session has forgotten its credentials.
  ///
  /// - Parameter tasks: those that run, and may carry a source's credential until they end.
  mutating func endGuard(after tasks: some Sequence<TaskIdentifier>) {
    formerlyGuarded.formUnion(guarded)
    guarded = []
    guard !formerlyGuarded.isEmpty else { return }
    formerTasks.formUnion(tasks)
    if formerTasks.isEmpty { formerlyGuarded = [] }
  }

  mutating func ended(_ task: TaskIdentifier) {
    if formerTasks.remove(task) != nil, formerTasks.isEmpty { formerlyGuarded = [] }
  }

  package var isEmpty: Bool { bindings.isEmpty }

  /// The source of a space, its own or that of any realm.
  package func binding(of space: ProtectionSpace) -> Binding? {
    guard !bindings.isEmpty else { return nil }
    return bindings[space] ?? bindings[space.ofAnyRealm]
  }

  /// The source that may be read now for a space.
  func readable(_ space: ProtectionSpace, now: Double) -> Binding? {
    refused[boundSpace(of: space)]?.mayRead(now: now) ?? true ? binding(of: space) : nil
  }

  /// The space that is bound: this one, or that of any realm.
  private func boundSpace(of space: ProtectionSpace) -> ProtectionSpace {
    bindings[space] == nil ? space.ofAnyRealm : space
  }

  /// The space's source has given this.
  ///
  /// - Returns: false when the server has refused it: it is not sent again.
  mutating func noteGiven(_ credential: Credential, in space: ProtectionSpace, now: Double) -> Bool {
    let (mark, bound) = (CredentialMark(credential.kind), boundSpace(of: space))
    let isNew = refused[bound]?.hasRefused(mark) != true
    if isNew { receipts.note(credential, in: space) }
    if refused[bound] != nil {
      refused[bound]?.note(given: mark, now: now)
    } else if refused.count < Self.capacity {
      refused[bound] = RefusedSource(mark)
    }
    return isNew
  }

  /// A server has refused a credential.
  mutating func noteRefusal(of mark: CredentialMark, in space: ProtectionSpace, now: Double) {
    guard !bindings.isEmpty, binding(of: space) != nil else { return }
    refused[boundSpace(of: space)]?.note(refused: mark, now: now)
  }

  /// A source whose credential the server has refused.
  package struct Refusal: Sendable, Equatable {
    package let source: String
    package let space: ProtectionSpace
    /// Seconds until the source is read again.
    package let pause: Double
  }

  package func refusals(now: Double) -> [Refusal] {
    refused.compactMap { space, known in
      guard known.isRefused, let binding = bindings[space] else { return nil }
      return Refusal(source: binding.name, space: space, pause: known.pause(now: now))
    }.sorted { ($0.source, $0.space.origin.description) < ($1.source, $1.space.origin.description) }
  }

  /// What the sources of these spaces gave may be sent once more.
  ///
  /// - Returns: How many they are.
  mutating func retry(where isConcerned: (ProtectionSpace) -> Bool) -> Int {
    let spaces = refused.filter { $0.value.isRefused && isConcerned($0.key) }.keys
    for space in spaces { refused[space]?.retry() }
    return spaces.count
  }

  /// The space's credential is this one now: it is bound to the credential's source, if it has one.
  ///
  /// - Parameters:
  ///   - limits: those that the caller gave, without what the source says.
  ///   - wallClock: seconds since 1970.
  mutating func note(
    _ credential: Credential, in space: ProtectionSpace, owner: ProcessIdentifier?, wallClock: Double
  ) {
    guard let source = credential.source else {
      if !bindings.isEmpty { remove(space) }
      return
    }
    var binding = Binding(source.name, credential.persistence, source.limits, owner: owner)
    binding.isPreemptive = source.isPreemptive
    binding.prefix = source.prefix
    if let end = credential.limits.notAfter, end > wallClock {
      binding.renewal = end - min(Self.longestAhead, (end - wallClock) / 4)
    }
    guard bind(space, to: binding) else { return }
    receipts.note(credential, in: space)
    refused[space] = RefusedSource(CredentialMark(credential.kind))
    soonest = min(soonest, binding.renewal ?? .infinity)
  }

  /// - Returns: false when there are too many bindings.
  mutating func bind(_ space: ProtectionSpace, to binding: Binding) -> Bool {
    guard bindings[space] != nil || bindings.count < Self.capacity else { return false }
    bindings[space] = binding
    return true
  }

  /// A credential is renewed so many seconds ahead of its end, or after three quarters of its time.
  private static let longestAhead = 60.0

  /// The spaces of an origin that are to be read again ahead of their credential's end; each is named once.
  mutating func takeDue(at origin: Origin, wallClock: Double) -> [(space: ProtectionSpace, binding: Binding)]
  {
    guard soonest <= wallClock else { return [] }
    var due: [(ProtectionSpace, Binding)] = []
    for (space, binding) in bindings
    where space.origin == origin && binding.renewal ?? .infinity <= wallClock {
      due.append((space, binding))
      bindings[space]?.renewal = nil
    }
    soonest = bindings.values.compactMap(\.renewal).min() ?? .infinity
    return due
  }

  /// The keys of an origin whose sources may be read now, because no challenge will ask for what is missing;
  /// each once until it has been read (storage.md 9.4.14).
  mutating func takeMissingKeys(
    at origin: Origin, now: Double, isMissing: (ProtectionSpace) -> Bool
  ) -> [(space: ProtectionSpace, binding: Binding)] {
    let missing = bindings.filter { space, _ in
      space.authenticationMethod == .key && space.origin == origin && !renewing.contains(space)
        && isMissing(space) && readable(space, now: now) != nil
    }
    renewing.formUnion(missing.keys)
    return missing.map { ($0.key, $0.value) }
  }

  /// A source has been read without a challenge, or could not be.
  mutating func renewed(_ space: ProtectionSpace) { renewing.remove(space) }

  mutating func remove(_ space: ProtectionSpace) {
    bindings[space] = nil
    renewing.remove(space)
    refused[space] = nil
    receipts.remove(space)
  }

  /// A space without a realm that is named for any realm stands for all those of its origin and method.
  mutating func remove(named space: ProtectionSpace) {
    guard space.isOfAnyRealm else { return remove(space) }
    for bound in bindings.keys where bound.ofAnyRealm == space { remove(bound) }
  }

  mutating func removeAll() {
    (bindings, refused, renewing) = ([:], [:], [])
    receipts.removeAll()
  }
}
