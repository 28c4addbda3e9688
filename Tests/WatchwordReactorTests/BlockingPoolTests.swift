import CLinux
import Glibc
import Testing
import WatchwordReactor
import WatchwordTestSupport
internal import WatchwordVocabulary

@Suite(.serialized) struct BlockingPoolTests {
  init() { LoopThread.started }

  @Test func thePoolWorksElsewhereAndAnswersOnTheLoop() async {
    let pool = BlockingPool(threads: 2)
    let places = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<50 { group.addTask { await pool.run { EventLoop.shared.isOnLoop } } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(places == Array(repeating: false, count: 50))
    await withCheckedContinuation { continuation in
      pool.submit {
      } then: {
        #expect(EventLoop.shared.isOnLoop)
        continuation.resume()
      }
    }
  }

  @Test func workIsDoneInTheOrderInWhichItCame() async {
    let pool = BlockingPool(threads: 1)
    let done = Done()
    for index in 0..<1000 {
      pool.submit {
        done.numbers.withLock { $0.append(index) }
      } then: {
      }
    }
    await pool.run {}
    #expect(done.numbers.withLock { $0 } == Array(0..<1000))
  }

  @Test func blockedWorkDoesNotHoldUpTheOtherThread() async {
    let pool = BlockingPool(threads: 2)
    let ends = await Task { @ReactorActor in try? Pipe() }.value
    guard let ends else { return }
    let reader = ends.reader
    async let blocked = pool.run {
      var byte: UInt8 = 0
      return read(reader, &byte, 1)
    }
    // Only when this has been done is the first let go.
    await pool.run {}
    await ends.write("x")
    #expect(await blocked == 1)
  }
}

@Suite(.serialized) struct WorkLanesTests {
  init() { LoopThread.started }

  /// Both places of one lane are held; a third piece of its work waits, and another lane's does not.
  @Test func whoHangsDelaysNoOther() async {
    let lanes = WorkLanes(threads: 8, width: 2, accountWidth: 8)
    let ends = await Task { @ReactorActor in try? Pipe() }.value
    guard let ends else { return }
    let reader = ends.reader
    let done = Done()
    let order = await withCheckedContinuation { (continuation: CheckedContinuation<[Int], Never>) in
      Task { @ReactorActor in
        for number in 1...3 {
          lanes.submit(in: 1, of: 1) {
            var byte: UInt8 = 0
            _ = number < 3 ? read(reader, &byte, 1) : 0
          } then: {
            let numbers = done.numbers.withLock { numbers in
              numbers.append(number < 3 ? 1 : 3)
              return numbers
            }
            if numbers.count == 4 { continuation.resume(returning: numbers) }
          }
        }
        lanes.submit(in: 2, of: 1) {
        } then: {
          done.numbers.withLock { $0.append(2) }
          ends.write("xy")
        }
      }
    }
    #expect(order.first == 2 && order.sorted() == [1, 1, 2, 3])
  }

  @Test func whatWaitsInALaneIsDone() async {
    let lanes = WorkLanes(threads: 8, width: 2, accountWidth: 8)
    let done = Done()
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      Task { @ReactorActor in
        for number in 0..<1000 {
          lanes.submit(in: 7, of: 1) {
          } then: {
            let count = done.numbers.withLock { numbers in
              numbers.append(number)
              return numbers.count
            }
            if count == 1000 { continuation.resume() }
          }
        }
      }
    }
    #expect(done.numbers.withLock { $0.sorted() } == Array(0..<1000))
  }
}

@Suite(.serialized) struct AccountLaneTests {
  init() { LoopThread.started }

  /// What two pieces of work of one account do takes one thread.
  @Test func whatOneAccountComputesDelaysNoOther() async {
    let ends = await Task { @ReactorActor in try? Pipe() }.value
    guard let ends else { return }
    let reader = ends.reader
    let order = await withCheckedContinuation { (continuation: CheckedContinuation<[Int], Never>) in
      let done = Done()
      let note: @Sendable @ReactorActor (Int) -> Void = { account in
        let numbers = done.numbers.withLock { numbers in
          numbers.append(account)
          return numbers
        }
        if numbers.count == 3 { continuation.resume(returning: numbers) }
      }
      Task { @ReactorActor in
        for _ in 0..<2 {
          ComputingLane.submit(for: 1) {
            var byte: UInt8 = 0
            _ = read(reader, &byte, 1)
          } then: {
            note(1)
          }
        }
        ComputingLane.submit(for: 2) {
        } then: {
          note(2)
          ends.write("xy")
        }
      }
    }
    #expect(order == [2, 1, 1])
  }

  /// 64 threads are there, and so many pieces of work that wait.
  @Test func whatOneAccountReadsOnManyFileSystemsDelaysNoOther() async {
    let ends = await Task { @ReactorActor in try? Pipe() }.value
    guard let ends else { return }
    let reader = ends.reader
    let order = await withCheckedContinuation { (continuation: CheckedContinuation<[Int], Never>) in
      let done = Done()
      let note: @Sendable @ReactorActor (Int) -> Void = { account in
        let numbers = done.numbers.withLock { numbers in
          numbers.append(account)
          return numbers
        }
        if numbers.count == 65 { continuation.resume(returning: numbers) }
      }
      Task { @ReactorActor in
        for number in 0..<64 {
          FileLane.submit(on: UInt64(number / 2), of: 1) {
            var byte: UInt8 = 0
            _ = read(reader, &byte, 1)
          } then: {
            note(1)
          }
        }
        FileLane.submit(on: 100, of: 2) {
        } then: {
          note(2)
          ends.write(String(repeating: "x", count: 64))
        }
      }
    }
    #expect(order == [2] + Array(repeating: 1, count: 64))
  }

  /// Their closing waits until what they have sent has arrived, which it never does.
  @Test func whatOneAccountClosesDelaysNoOther() async throws {
    let sockets = try (0..<6).map { _ in try LingeringSocket() }
    for socket in sockets { DescriptorCloser.close(socket.holder, of: 1) }
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let reader = ends[0]
    DescriptorCloser.close(ends[1], of: 2)
    let heard = await BlockingPool(threads: 1).run {
      var waited = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
      return poll(&waited, 1, 20_000)
    }
    #expect(heard == 1)
    for socket in sockets { socket.reset() }
    close(reader)
  }
}

/// A socket whose closing waits, in transit in another one.
private struct LingeringSocket {
  /// Has it in transit.
  let holder: Int32
  private let peer: Int32

  init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let isConnected = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 1) == 0
          && getsockname(listener, $0, &length) == 0 && connect(client, $0, length) == 0
      }
    }
    try #require(isConnected)
    peer = accept(listener, nil, nil)
    var wait = linger(l_onoff: 1, l_linger: 3600)
    setsockopt(client, SOL_SOCKET, SO_LINGER, &wait, socklen_t(MemoryLayout<linger>.size))
    let bytes = [UInt8](repeating: 0, count: 1 << 16)
    while send(client, bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 {}
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    try #require(clinux_send(ends[0], "x", 1, [client], 1, false) == 1)
    close(client)
    close(ends[0])
    holder = ends[1]
  }

  /// What was sent will not arrive: the closing ends.
  func reset() { close(peer) }
}

private final class Done: Sendable {
  let numbers = Locked<[Int]>([])
}
