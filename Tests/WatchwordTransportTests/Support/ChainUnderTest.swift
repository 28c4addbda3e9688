import CTransport
import WatchwordCore
import WatchwordTransport
import WatchwordVocabulary

/// A chain as a handshake would present it, evaluated without one.
final class ChainUnderTest {
  /// The `X509_STORE_CTX`.
  let context: OpaquePointer
  private let roots: OpaquePointer
  private var certificates: [OpaquePointer] = []
  private let others: OpaquePointer

  /// `presented` is PEM text, the server's own first; TLS has it among the others too.
  init?(presented: [String], roots text: String? = nil, lists: String = "") {
    var count: Int32 = 0
    guard let context = X509_STORE_CTX_new(), let others = OPENSSL_sk_new_null(),
      let roots = transport_roots_make(text, text?.utf8.count ?? 0, &count)
    else { return nil }
    self.context = context
    self.others = others
    self.roots = roots
    guard lists.isEmpty || transport_roots_add_revocation_lists(roots, lists, lists.utf8.count) else {
      return nil
    }
    for text in presented {
      guard let certificate = ChainUnderTest.certificate(text) else { return nil }
      certificates.append(certificate)
      OPENSSL_sk_push(others, UnsafeRawPointer(certificate))
    }
    guard let leaf = certificates.first, X509_STORE_CTX_init(context, roots, leaf, others) == 1,
      X509_STORE_CTX_set_default(context, "ssl_server") == 1
    else { return nil }
  }

  deinit {
    X509_STORE_CTX_free(context)
    OPENSSL_sk_free(others)
    for certificate in certificates { X509_free(certificate) }
    transport_roots_free(roots)
  }

  /// As a caller is asked about it.
  var trust: ServerTrust? {
    PresentedChain(context).flatMap { ServerTrust(context, $0, faults: []) }
  }

  /// Every fault, as a handshake would find them.
  func evaluate(host: String, isAddress: Bool = false) -> [TrustFault] {
    var faults = [transport_trust_fault](
      repeating: transport_trust_fault(), count: TRANSPORT_MAXIMUM_FAULTS)
    let count = host.withCString { host in
      var rules = transport_evaluation()
      rules.host = host
      rules.host_is_address = isAddress
      return transport_evaluate(context, &rules, &faults)
    }
    return faults.prefix(Int(count)).reduce(into: []) { list, fault in
      let typed = TrustFault(reason: TrustReason(verifyError: fault.error), depth: Int(fault.depth))
      if !list.contains(typed) { list.append(typed) }
    }
  }

  /// The X509 of a PEM text; the caller frees it.
  static func certificate(_ pem: String) -> OpaquePointer? {
    let body = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
    let der = VectorFile.base64(body)
    return der.withUnsafeBufferPointer { der in
      var position = der.baseAddress
      return d2i_X509(nil, &position, der.count)
    }
  }
}
