import CLinux
import Glibc
import Testing

/// What CLinux does with descriptors that travel over a socket, and with the identity of the peer.
@Suite struct DescriptorTests {
  private let near: Int32
  private let far: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    near = ends[0]
    far = ends[1]
  }

  private struct Received {
    var bytes: [UInt8]
    var descriptors: [Int32]
    var isExcessive: Bool
  }

  private func receive() -> Received {
    var bytes = [UInt8](repeating: 0, count: 64)
    var descriptors = [Int32](repeating: -1, count: Int(CLINUX_DESCRIPTORS_ROOM))
    var arrived = clinux_arrived()
    let size = clinux_receive(far, &bytes, 64, &descriptors, &arrived, false)
    #expect(!arrived.is_incomplete)
    return Received(
      bytes: Array(bytes.prefix(max(0, size))), descriptors: Array(descriptors.prefix(Int(arrived.count))),
      isExcessive: arrived.is_excessive)
  }

  private func closeEnds() {
    close(near)
    close(far)
  }

  @Test(arguments: [1, 2, 16]) func descriptorsArriveInOrderAndCloseOnExec(_ count: Int) throws {
    defer { closeEnds() }
    let sent = (0..<count).map { clinux_memfd_create("\($0)") }
    for (index, descriptor) in sent.enumerated() {
      #expect(write(descriptor, "\(index)", 1) == 1 || index > 9)
    }
    #expect(clinux_send(near, "hello", 5, sent, Int32(count), false) == 5)
    let received = receive()
    #expect(received.bytes == Array("hello".utf8))
    #expect(received.descriptors.count == count)
    #expect(!received.isExcessive)
    for (own, other) in zip(sent, received.descriptors) {
      #expect(fcntl(other, F_GETFD) & FD_CLOEXEC != 0)
      var (left, right) = (stat(), stat())
      #expect(fstat(own, &left) == 0 && fstat(other, &right) == 0)
      #expect(left.st_ino == right.st_ino)
    }
    for descriptor in sent + received.descriptors { close(descriptor) }
  }

  @Test func moreDescriptorsThanOneMessageMayCarryAreNotSent() {
    defer { closeEnds() }
    let many = [Int32](repeating: 0, count: Int(CLINUX_DESCRIPTORS_MAX) + 1)
    #expect(clinux_send(near, "x", 1, many, Int32(many.count), false) == -1)
    #expect(errno == EINVAL)
  }

  /// The kernel closes none of a flood, in the thread that receives: closing may wait.
  @Test func floodOfDescriptorsIsHandedOverWhole() throws {
    defer { closeEnds() }
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let flood = [Int32](repeating: ends[1], count: 100)
    #expect(sendFlood(flood) == 1)
    close(ends[1])
    let received = receive()
    #expect(received.isExcessive)
    #expect(received.descriptors.count == 100)
    for descriptor in received.descriptors { clinux_close_received(descriptor) }
    // Every copy of the writing end is closed, so that the reading end is at its end.
    var byte: UInt8 = 0
    #expect(read(ends[0], &byte, 1) == 0)
    close(ends[0])
  }

  private func sendFlood(_ descriptors: [Int32]) -> Int {
    let length = MemoryLayout<cmsghdr>.size + descriptors.count * 4
    var control = [UInt64](repeating: 0, count: (length + 7) / 8)
    return control.withUnsafeMutableBytes { control in
      control.storeBytes(of: length, as: Int.self)
      control.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
      control.storeBytes(of: Int32(SCM_RIGHTS), toByteOffset: 12, as: Int32.self)
      for (index, descriptor) in descriptors.enumerated() {
        control.storeBytes(of: descriptor, toByteOffset: 16 + index * 4, as: Int32.self)
      }
      var byte: UInt8 = 0x78
      return withUnsafeMutableBytes(of: &byte) { byte in
        var part = iovec(iov_base: byte.baseAddress, iov_len: 1)
        return withUnsafeMutablePointer(to: &part) { part in
          var message = msghdr()
          message.msg_iov = part
          message.msg_iovlen = 1
          message.msg_control = control.baseAddress
          message.msg_controllen = length
          return sendmsg(near, &message, 0)
        }
      }
    }
  }

  @Test func nothingToReceiveIsNotAnEnd() {
    defer { closeEnds() }
    var bytes = [UInt8](repeating: 0, count: 8)
    var descriptors = [Int32](repeating: -1, count: Int(CLINUX_DESCRIPTORS_ROOM))
    var arrived = clinux_arrived(count: 9, is_excessive: true, is_incomplete: true)
    let size = clinux_receive(far, &bytes, 8, &descriptors, &arrived, false)
    #expect(size == -1 && errno == EAGAIN)
    #expect(arrived.count == 0 && !arrived.is_excessive && !arrived.is_incomplete)
  }

  @Test func thePeerIsKnownByUidPidAndDescriptor() {
    defer { closeEnds() }
    var (pid, uid, gid): (pid_t, uid_t, gid_t) = (0, 0, 0)
    #expect(clinux_peer_credentials(near, &pid, &uid, &gid))
    #expect(pid == getpid() && uid == getuid() && gid == getgid())
    let descriptor = clinux_peer_pidfd(near)
    // Kernels before 6.5 have none.
    if descriptor >= 0 {
      #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
      close(descriptor)
    } else {
      #expect(errno == ENOPROTOOPT)
    }
  }

  @Test func aPathTooLongForASocketIsRefused() {
    defer { closeEnds() }
    let path = "/tmp/" + String(repeating: "x", count: 200)
    #expect(clinux_unix_listen(path, 1) == -1)
    #expect(errno == ENAMETOOLONG)
    #expect(clinux_unix_connect(path) == -1)
    #expect(errno == ENAMETOOLONG)
  }
}
