import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// URIs of keys in tokens (RFC 7512).
struct TokenURITests {
  @Test(arguments: [
    "pkcs11:token=badge;id=%01", "pkcs11:manufacturer=piv_II;serial=0123;object=key%20one;type=private",
    "pkcs11:slot-id=0;model=%E2%9C%93;id=%aF%Ff", "pkcs11:token=",
  ])
  func keysAreNamedByTheirAttributes(_ text: String) throws {
    #expect(try TokenURI(text).text == text)
  }

  @Test(arguments: [
    ("", "does not begin"), ("PKCS11:token=a", "does not begin"), ("file:token=a", "does not begin"),
    ("pkcs11:", "attribute"), ("pkcs11:token", "attribute"), ("pkcs11:token=a;", "attribute"),
    ("pkcs11:;token=a", "attribute"), ("pkcs11:token=a&id=1;x=1", "attribute"),
    ("pkcs11:module-path=/tmp/x.so", "attribute"), ("pkcs11:pin-value=1234", "attribute"),
    ("pkcs11:token=a?module-path=/tmp/x.so", "query"), ("pkcs11:token=a?", "query"),
    ("pkcs11:token=a b", "percent-encoded"), ("pkcs11:token=a\u{0}", "percent-encoded"),
    ("pkcs11:token=ü", "percent-encoded"), ("pkcs11:id=%", "percent sign"), ("pkcs11:id=%0", "percent sign"),
    ("pkcs11:id=%0g", "percent sign"), ("pkcs11:id=%01%", "percent sign"), ("pkcs11:id=%%41", "percent sign"),
  ])
  func whatIsWrongIsSaid(_ text: String, _ fault: String) {
    let refusal = #expect(throws: TokenURIFault.self) { try TokenURI(text) }
    #expect(refusal?.text.contains(fault) == true, "\(refusal?.text ?? "")")
  }
}
