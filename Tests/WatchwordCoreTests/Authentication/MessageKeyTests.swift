import Testing
import WatchwordVocabulary

@testable import WatchwordCore

@Suite struct MessageKeyTests {
  /// RFC 4231 §4.2 to §4.5: key, message and code of the first four cases.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
    ),
    (
      Array(1...25), [UInt8](repeating: 0xCD, count: 50),
      "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
    ),
  ])
  func codesAreThoseOfTheRFC(_ key: [UInt8], _ message: [UInt8], _ code: String) {
    let made = MessageKey(Secret(key)).code { hash in
      hash.update(Array(message.prefix(3)))
      hash.update(Array(message.dropFirst(3)))
    }
    #expect(made?.hexadecimal == code)
  }
}
