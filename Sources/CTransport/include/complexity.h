#ifndef TRANSPORT_COMPLEXITY_H
#define TRANSPORT_COMPLEXITY_H

#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <stdbool.h>
#include <stddef.h>

enum {
  /// A fault of ours beside OpenSSL's `X509_V_ERR_*`: the chain would cost too much to verify, and was not.
  TRANSPORT_FAULT_TOO_COMPLEX = 100000,
};

/// Whether certificates in DER have a key over a curve without a name, or with one that no authority uses: OpenSSL would
/// compute each point when it reads the certificate, for 0.3 s over a field that was chosen for it.
bool transport_has_costly_curve(const unsigned char *bytes, size_t length);

/// The index of the first certificate whose key would cost too much to verify a signature with; -1 when there is none.
/// Such a key is one of DSA, of RSA with more than 8,192 bits or an exponent of more than 64, or of a curve without a
/// name.
int transport_costly_key(const STACK_OF(X509) *certificates);

/// Whether the certificates that came with the server's own, or its own key, cost too much.
bool transport_presents_costly_key(X509_STORE_CTX *chain, int *depth);

/// The index of the first issuer in a built chain with which the names below are too many to be checked against the
/// name constraints; -1 when there is none.
int transport_costly_constraints(const STACK_OF(X509) *built);

#endif
