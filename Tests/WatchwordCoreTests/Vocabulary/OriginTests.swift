import Testing
import WatchwordCore
import WatchwordVocabulary

@Suite struct OriginTests {
  @Test(arguments: ["127.0.0.1", "127.255.255.254", "localhost", "a.localhost", "::1"])
  func loopbackIsKnown(_ host: String) {
    #expect(Origin(scheme: .http, host: host, port: 80).isLoopback)
  }

  @Test(
    arguments: [
      "128.0.0.1", "127.0.0", "127.0.0.", "127..0.1", "127.0.0.256", "127.0.0.1.2", "127.0.0.1.example",
      "127.example", "1270.0.0.1", "localhost.example", "notlocalhost", "::2", "",
    ])
  func anotherHostIsNoLoopback(_ host: String) {
    #expect(!Origin(scheme: .http, host: host, port: 80).isLoopback)
  }
}
