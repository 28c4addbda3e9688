internal import WatchwordVocabulary

/// Keys that the requests of a task carry in header fields of their own (storage.md 9.4.9).
extension TaskStateMachine {
  /// The request goes onto its connection: the keys that it carries. The caller's own fields come before
  /// them.
  func keyFields(_ context: Context) -> [HeaderField] {
    guard case .exchanging(let request) = phase, request.proxy?.tunnel != .requested else { return [] }
    var use = CredentialUse(
      url: request.url, method: request.method, process: context.process, now: context.now,
      wallClock: context.wallClock)
    use.task = context.task
    use.route = route
    let before = sentKeys
    let chosen = context.memory.keys(for: use, authentication.policy, sentBefore: before) { name in
      request.headers.contains { $0.isNamed(name) }
    }
    sentKeys = []
    return chosen.compactMap { key in
      // The same request for a challenge, or on another connection, is no other use.
      let isRepeated = before.contains { $0.key == key }
      guard let (field, sent) = context.memory.field(of: key, for: use, isRepeated: isRepeated) else {
        return nil
      }
      sentKeys.append(sent)
      return field
    }
  }

  /// Whether the origin's refusal can only mean a key: the request has nothing else that it could refuse, and
  /// it names nothing that another credential could answer.
  func refusesKey(_ head: ResponseHead, sentAlone: Bool) -> Bool {
    head.status == Hop.origin.refusal && sentAlone && !authentication.hasOffers
  }

  /// The origin's answer to the request, apart from a refusal.
  func keysTaken(_ head: ResponseHead, _ memory: SessionMemory) {
    guard head.status < 500, head.status != Hop.origin.refusal else { return }
    for sent in sentKeys { memory.taken(sent) }
  }

  /// Of several keys it is not known which one is refused: they stay.
  func keyRefused(_ memory: SessionMemory) {
    guard sentKeys.count == 1 else { return }
    memory.refused(sentKeys[0])
  }
}
