import Testing
import WatchwordOptions

/// Which uids name one account.
@Suite struct KnownUIDsTests {
  private static let whole = "         0          0 4294967295\n"

  @Test func withoutANamespaceEveryUidIsAnAccount() {
    let known = KnownUIDs(map: Self.whole, overflow: "65534\n")
    for uid: UInt32 in [0, 1000, 65534, .max - 1] { #expect(known.identifies(uid)) }
    #expect(!known.identifies(.max))
    #expect(KnownUIDs(map: "0 0 65536\n65536 65536 4294901759\n", overflow: "65534").identifies(65534))
  }

  /// Also where an account has its number: one that is not mapped arrives as the same.
  @Test(arguments: [
    "0 100000 65536\n", "0 0 1\n", "0 0 65534\n65535 65535 4294901760\n", "", "0 0\n", "0 0 -1\n", "a\n",
  ])
  func whereSomeAreNotMappedTheOverflowUidIsNobody(map: String) {
    let known = KnownUIDs(map: map, overflow: "65534\n")
    #expect(!known.identifies(65534))
    #expect(known.identifies(0) && known.identifies(65533))
  }

  @Test func theHostMayHaveAnotherOverflowUid() {
    let known = KnownUIDs(map: "0 100000 65536\n", overflow: "99\n")
    #expect(!known.identifies(99) && known.identifies(65534))
  }

  @Test func withoutProcNothingIsKnownOfTheNamespace() {
    let known = KnownUIDs(map: nil, overflow: nil)
    #expect(!known.identifies(65534) && known.identifies(0))
  }
}
