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
  /// More than there are: OpenSSL knows fewer than 100 errors, and no chain that is built has more than 22 certificates.
  /// What did not fit would be excused without having been shown.
  TRANSPORT_MAXIMUM_FAULTS = 2200,
};

/// What has to be known of the revocation of the server's certificate, besides what lists among the roots say
/// and what the certificate itself insists on (RFC 7633).
enum transport_revocation {
  TRANSPORT_REVOCATION_OFF,
  /// An OCSP response that the server sends is checked.
  TRANSPORT_REVOCATION_STAPLED,
  /// There must be a good response, or a list that covers the certificate.
  TRANSPORT_REVOCATION_REQUIRED,
  /// There must be a good response, whatever lists say.
  TRANSPORT_REVOCATION_STAPLE_REQUIRED,
};

/// What a chain has to satisfy besides what its certificates say themselves.
struct transport_evaluation {
  /// Without brackets.
  const char *host;
  /// Then only an iPAddress name of the certificate matches, and otherwise only a dNSName.
  bool host_is_address;
  enum transport_revocation revocation;
  /// The OCSP response that came with the chain; null when there was none.
  const unsigned char *staple;
  size_t staple_length;
};

/// Judges the chain of a TLS server by default evaluation. Fills `faults` (room for
/// `TRANSPORT_MAXIMUM_FAULTS`) with every fault, not with the first only, and returns how many there are: 0
/// when the chain is fine. Afterwards the chain that was built is `X509_STORE_CTX_get0_chain`.
int transport_evaluate(
  X509_STORE_CTX *chain, const struct transport_evaluation *rules, struct transport_trust_fault *faults);

#endif
