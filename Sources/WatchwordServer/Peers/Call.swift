internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// One pending request: answered exactly once, now or later.
///
/// The code that has to answer retains it; its connection does not. A call that its last owner drops without
/// a reply is noticed.
@ReactorActor
final class Call {
  let peer: Peer
  /// Nil for a notification, which gets no answer.
  let identifier: RequestIdentifier?
  /// Called by `$/cancelRequest`; nil when the call cannot wait.
  var onCancel: (() -> Void)?
  /// Called when the connection ends.
  fileprivate(set) var onAbandon: (() -> Void)?

  /// A call beside its parameters.
  private static let waitingBytes = 1024
  /// How many bytes the values of a message take for each of its own.
  private static let parsedFactor = 2

  /// Of its part of the message that it came in.
  private let size: Int

  /// Where it is among those of its connection.
  fileprivate var place = 0

  private var descriptors: [Int32?]
  /// Of the peer.
  private let account: UInt32
  private let batch: Batch?
  /// Whether it has its reply, or its connection has ended: what was waited for is not wanted any more.
  private(set) var isOver = false

  /// Whether its reply is part of a batch, and can carry no descriptor.
  var isBatched: Bool { batch != nil }

  init(_ peer: Peer, identifier: RequestIdentifier?, descriptors: [Int32], batch: Batch?, size: Int) {
    self.peer = peer
    self.size = size
    self.identifier = identifier
    self.descriptors = descriptors
    account = peer.process.uid
    self.batch = batch
    if identifier != nil { batch?.expect() }
  }

  isolated deinit {
    for case .some(let descriptor) in descriptors { DescriptorCloser.close(descriptor, of: account) }
    guard identifier != nil, !isOver else { return }
    // The connection has ended: no reply is sent.
    guard !peer.isClosed else { return peer.ended(self) }
    assertionFailure("a call was dropped without a reply")
    fail(.internalError("the request has got no reply"))
  }

  /// What it takes with its parameters while it waits to begin.
  var heldBytes: Int { Call.waitingBytes + Call.parsedFactor * size }

  /// Takes a descriptor that was sent with the message; each can be taken once.
  func takeDescriptor(_ index: Int, path: String) throws(RPCError) -> Int32 {
    guard descriptors.indices.contains(index), let descriptor = descriptors[index] else {
      throw .invalidParams(path, "no such descriptor came with the message, or it is used twice")
    }
    descriptors[index] = nil
    return descriptor
  }

  func succeed(with files: [MemoryFile] = [], _ body: (inout JSONWriter) -> Void) {
    reply(with: files) { writer, identifier in
      Envelope.result(to: &writer, identifier, descriptors: files.count, body)
    }
  }

  func succeed(_ result: some SentObject) { succeed(result.write) }

  /// A result that is the same text for every caller, and is not copied for each.
  func succeed(sharing text: [UInt8]) {
    guard batch == nil, let identifier, !isOver else { return succeed { $0.raw(text) } }
    end()
    peer.send(text, as: identifier)
    peer.ended(self)
  }

  /// The result of a `…/list` without elements.
  func succeed(nothingIn list: StaticString) {
    succeed { writer in
      writer.beginObject()
      writer.member(list, [] as [String])
      writer.endObject()
    }
  }

  func fail(_ error: RPCError) {
    reply(with: []) { writer, identifier in Envelope.error(to: &writer, identifier, error) }
  }

  // MARK: Work that takes long

  /// Answers with what `work` returns, or with the error that it throws.
  func answer(with work: @escaping @ReactorActor () async throws(RPCError) -> some SentObject) {
    begin { [self] () async throws(RPCError) in succeed(try await work()) }
  }

  /// Answers with an empty object, or with the error that `work` throws.
  func answer(after work: @escaping @ReactorActor () async throws(RPCError) -> Void) {
    begin { [self] () async throws(RPCError) in
      try await work()
      succeed { $0.emptyObject() }
    }
  }

  /// Begins work that sends the reply itself, because something follows it, or throws the error that fails
  /// the call.
  func begin(_ work: @escaping @ReactorActor () async throws(RPCError) -> Void) {
    EventLoop.shared.begin { [self] in
      do throws(RPCError) { try await work() } catch { fail(error) }
    }
  }

  /// Waits for what `start` passes to its argument, which it calls once, now or later, and drops then. The
  /// caller may cancel the call meanwhile.
  ///
  /// - Parameter start: returns what to do when the call is cancelled, or its connection ends: nothing is
  ///   waited for then.
  /// - Throws: what `start` throws, or ``cancelled`` when the call is over: it was cancelled, its connection
  ///   has ended, or it has its reply. Code that sends the reply before it passes the value also does what
  ///   must follow the reply.
  func wait<Value: Sendable>(
    for start: (@escaping @ReactorActor (Value) -> Void) throws(RPCError) -> @ReactorActor () -> Void
  ) async throws(RPCError) -> Value {
    let outcome: Result<Value, RPCError> = await withCheckedContinuation { continuation in
      let waiting = Waiting(self, continuation)
      defer { withExtendedLifetime(waiting) {} }
      do throws(RPCError) {
        let stop = try start { waiting.end(.success($0)) }
        guard waiting.isWaiting else { return }
        // Weak: only what passes the value retains it, and may drop it when that stops.
        onAbandon = { [weak waiting] in
          waiting?.end(.failure(Call.cancelled))
          stop()
        }
        onCancel = { [weak self, weak waiting] in
          waiting?.end(.failure(Call.cancelled))
          stop()
          self?.fail(Call.cancelled)
        }
      } catch {
        waiting.end(.failure(error))
      }
    }
    onCancel = nil
    let value = try outcome.get()
    guard !isOver else { throw Call.cancelled }
    return value
  }

  /// The same for what cannot be stopped: it goes on to its end, and what it passes is not used.
  func wait<Value: Sendable>(
    for start: (@escaping @ReactorActor (Value) -> Void) throws(RPCError) -> Void
  ) async throws(RPCError) -> Value {
    try await wait { end throws(RPCError) in
      try start(end)
      return {}
    }
  }

  /// From here on it happens, whatever becomes of the caller. For what waits already: `start` has returned.
  func mustGoOn() {
    (onCancel, onAbandon) = (nil, nil)
  }

  /// Work that waits. It goes on with an error when nothing is left that could pass the value.
  @ReactorActor
  private final class Waiting<Value: Sendable> {
    /// Retained by the work that waits.
    private unowned let call: Call
    private var continuation: CheckedContinuation<Result<Value, RPCError>, Never>?

    init(_ call: Call, _ continuation: CheckedContinuation<Result<Value, RPCError>, Never>) {
      self.call = call
      self.continuation = continuation
    }

    isolated deinit {
      guard isWaiting else { return }
      assertionFailure("what a call waits for will not come")
      end(.failure(.internalError("what the request waits for will not come")))
    }

    var isWaiting: Bool { continuation != nil }

    func end(_ outcome: Result<Value, RPCError>) {
      guard let continuation = continuation.take() else { return }
      call.onAbandon = nil
      // It can be cancelled until the work goes on, which is in a job of its own.
      call.onCancel = { [weak call] in call?.fail(Call.cancelled) }
      continuation.resume(returning: outcome)
    }
  }

  /// Also when the connection has ended, where no reply is sent.
  static let cancelled = RPCError.requestCancelled("the caller cancelled it")

  /// Goes on with what was waited for.
  ///
  /// - Parameter body: may throw the error that fails the call.
  func proceed(_ body: () throws(RPCError) -> Void) {
    do throws(RPCError) { try body() } catch { fail(error) }
  }

  /// The connection is closed.
  func abandon() {
    isOver = true
    onCancel = nil
    let abandoned = onAbandon
    onAbandon = nil
    batch?.abandon()
    abandoned?()
  }

  private func reply(
    with files: [MemoryFile], _ write: (inout JSONWriter, RequestIdentifier) -> Void
  ) {
    let isFirst = !isOver
    end()
    guard let identifier, isFirst else { return }
    if let batch {
      batch.add(identifier, with: files) { write(&$0, identifier) }
    } else {
      peer.send(identifier, with: files) { write(&$0, identifier) }
    }
    peer.ended(self)
  }

  /// Also for a notification, which has no reply: the closures retain what the call has waited for.
  private func end() {
    isOver = true
    onCancel = nil
    onAbandon = nil
  }
}

/// The calls of a connection that have no reply yet, in no order: each knows its place, so that none is
/// looked for.
///
/// It does not retain them: a call that was dropped without a reply would stay for ever. A call leaves when it
/// is answered or deinitialized, both on the loop. When another thread has dropped it, it stays here until its
/// `deinit` has run on the loop.
@ReactorActor
struct CallsInHand {
  private var all: [Unmanaged<Call>] = []

  nonisolated init() {}

  var count: Int { all.count }
  var isEmpty: Bool { all.isEmpty }

  mutating func insert(_ call: Call) {
    call.place = all.count
    all.append(.passUnretained(call))
  }

  func with(_ identifier: RequestIdentifier) -> [Call] {
    all.map { $0.takeUnretainedValue() }.filter { $0.identifier == identifier }
  }

  mutating func popLast() -> Call? { all.popLast()?.takeUnretainedValue() }

  /// Does nothing for a call that is not there.
  mutating func remove(_ call: Call) {
    guard all.indices.contains(call.place), all[call.place].takeUnretainedValue() === call,
      let last = popLast(), last !== call
    else { return }
    all[call.place] = .passUnretained(last)
    last.place = call.place
  }
}
