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
  var onAbandon: (() -> Void)?

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
    answer(with: files) { writer, identifier in
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
    answer(with: []) { writer, identifier in Envelope.error(to: &writer, identifier, error) }
  }

  /// Lets the caller cancel the call while it waits; whoever it waits for looks at ``isOver``.
  func mayStop() { whenStopped {} }

  /// Sets what stops the work when the caller cancels the call, or its connection ends.
  func whenStopped(_ stop: @escaping () -> Void) {
    onAbandon = stop
    onCancel = { [unowned self] in
      stop()
      fail(.requestCancelled("the caller cancelled it"))
    }
  }

  /// Goes on with what was waited for.
  ///
  /// - Parameter body: may throw the error that fails the call.
  func proceed(_ body: () throws(RPCError) -> Void) {
    do throws(RPCError) { try body() } catch { fail(error) }
  }

  /// The same with what a vault has given, or fails with its fault.
  func proceed<Value>(with result: Result<Value, VaultFault>, _ body: (Value) throws(RPCError) -> Void) {
    switch result {
    case .success(let value): proceed { () throws(RPCError) in try body(value) }
    case .failure(let fault): fail(RPCError(fault))
    }
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

  private func answer(
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

/// The calls of a connection that have no reply yet, in no order: each knows its place, so that none is looked for.
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
