internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// One pending request: answered exactly once, now or later.
@ReactorActor
final class Call {
  let peer: Peer
  /// Nil for a notification, which gets no answer.
  let identifier: RequestIdentifier?
  /// Called by `$/cancelRequest`; nil when the call cannot wait.
  var onCancel: (() -> Void)?
  /// Called when the connection ends.
  private(set) var onAbandon: (() -> Void)?

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

  deinit {
    for case .some(let descriptor) in descriptors { DescriptorCloser.close(descriptor, of: account) }
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
      guard !isOver else { return }
      assertionFailure("a call has got no reply")
      fail(.internalError("the request has got no reply"))
    }
  }

  /// Waits for what `start` passes to its argument, which it calls once, now or later. The caller may cancel
  /// the call meanwhile.
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
      var waiting: CheckedContinuation<Result<Value, RPCError>, Never>? = continuation
      // Unowned: the work that waits retains the call.
      let end: @ReactorActor (Result<Value, RPCError>) -> Void = { [unowned self] outcome in
        guard let continuation = waiting.take() else { return }
        onAbandon = nil
        // It can be cancelled until the work goes on, which is in a job of its own.
        onCancel = { [unowned self] in fail(Call.cancelled) }
        continuation.resume(returning: outcome)
      }
      do throws(RPCError) {
        let stop = try start { end(.success($0)) }
        guard waiting != nil else { return }
        onAbandon = {
          stop()
          end(.failure(Call.cancelled))
        }
        onCancel = { [unowned self] in
          stop()
          fail(Call.cancelled)
          end(.failure(Call.cancelled))
        }
      } catch {
        end(.failure(error))
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
@ReactorActor
struct CallsInHand {
  private(set) var all: [Call] = []

  nonisolated init() {}

  var count: Int { all.count }
  var isEmpty: Bool { all.isEmpty }

  mutating func insert(_ call: Call) {
    call.place = all.count
    all.append(call)
  }

  /// Does nothing for a call that is not there.
  mutating func remove(_ call: Call) {
    guard all.indices.contains(call.place), all[call.place] === call, let last = all.popLast(), last !== call
    else { return }
    all[call.place] = last
    last.place = call.place
  }
}
