#ifndef TRANSPORT_EVALUATION_H
#define TRANSPORT_EVALUATION_H

#include <openssl/x509_vfy.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One fault of a chain: OpenSSL's `X509_V_ERR_*` and the depth of the certificate.
struct transport_trust_fault {
  int error;
  int depth;
};

enum {
  /// More than can occur: OpenSSL knows fewer than 100 errors, and no built chain has more than 22 certificates. A
  /// fault that did not fit would be excused without having been shown.
  TRANSPORT_MAXIMUM_FAULTS = 2200,
};

/// The required proof that the server's certificate is not revoked, besides the lists among the roots and the
/// certificate's own requirement (RFC 7633).
enum transport_revocation {
  TRANSPORT_REVOCATION_OFF,
  /// An OCSP response that the server sends is checked.
  TRANSPORT_REVOCATION_STAPLED,
  /// There must be a good response, or a list that covers the certificate.
  TRANSPORT_REVOCATION_REQUIRED,
  /// There must be a good response, regardless of lists.
  TRANSPORT_REVOCATION_STAPLE_REQUIRED,
};

/// The requirements on a chain beyond those in its certificates.
struct transport_evaluation {
  /// Without brackets.
  const char *host;
  /// If true, only an iPAddress name of the certificate matches, otherwise only a dNSName.
  bool host_is_address;
  enum transport_revocation revocation;
  /// The OCSP response that came with the chain; null when there was none.
  const unsigned char *staple;
  size_t staple_length;
};

/// Judges the chain of a TLS server by default evaluation. Fills `faults` (room for `TRANSPORT_MAXIMUM_FAULTS`) with
/// every fault, not only the first, and returns their number: 0 when the chain is trusted. Afterwards
/// `X509_STORE_CTX_get0_chain` is the built chain.
int transport_evaluate(
  X509_STORE_CTX *chain, const struct transport_evaluation *rules, struct transport_trust_fault *faults);

#endif
