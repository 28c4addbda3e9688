internal import Glibc
internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// What `watchword-pkcs11` sends while a key is opened or certificates are listed: packets, each after two bytes with its
/// length. The first byte of the input chooses one of the two.
enum TokenTarget {
  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    var reader = InputReader(input)
    let lists = reader.byte() & 1 != 0
    var packets: [[UInt8]] = []
    while !reader.rest.isEmpty {
      let count = Int(reader.byte()) << 8 | Int(reader.byte())
      packets.append(Array(reader.bytes(count)))
    }
    EventLoop.shared.run { begin(packets, lists: lists) }
  }

  @ReactorActor
  private static func begin(_ packets: [[UInt8]], lists: Bool) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0 else { fatalError("no sockets") }
    for packet in packets where send(ends[1], packet, packet.count, Int32(MSG_DONTWAIT)) < 0 { break }
    let host = TokenHost(modules: [], program: nil)
    do throws(IdentityFault) {
      if lists {
        _ = try TokenListing(host.adopt(ends[0], for: 0)) { found in
          require(packets.count >= found?.count ?? 0, "a certificate that was not sent")
          EventLoop.shared.stop()
        }
      } else {
        guard let uri = try? TokenURI("pkcs11:token=a") else { fatalError("no URI") }
        let key = TokenKey(uri: uri, certificates: nil, pin: nil)
        _ = try TokenOpening(key, over: host.adopt(ends[0], for: 0), wallClock: 1_800_000_000) { _ in
          EventLoop.shared.stop()
        }
      }
    } catch {
      fatalError("the packets are not listened to")
    }
    // What comes then is the end.
    close(ends[1])
  }
}
