#ifndef TRANSPORT_CERTIFICATE_H
#define TRANSPORT_CERTIFICATE_H

#include <openssl/x509_vfy.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  /// Bytes of a SHA-256.
  TRANSPORT_FINGERPRINT_BYTES = 32,
  /// Alternative names described of one certificate; the largest public ones have a few hundred.
  TRANSPORT_MAXIMUM_ALTERNATIVE_NAMES = 1024,
};

struct transport_fingerprint {
  uint8_t bytes[TRANSPORT_FINGERPRINT_BYTES];
};

/// One certificate, read for people and programs. Texts are UTF-8 in which OpenSSL has escaped ASCII control
/// characters; their length is not limited.
struct transport_certificate {
  /// RFC 4514.
  char *subject;
  char *issuer;
  /// Hexadecimal, lower case.
  char *serial_number;
  /// Seconds since 1970.
  double not_before;
  double not_after;
  /// `DNS:…`, `IP:…`, `URI:…`, `email:…`.
  char **alternative_names;
  int alternative_name_count;
  /// A constant of this file.
  const char *key_type;
  int key_bits;
  struct transport_fingerprint sha256;
  /// Of the SubjectPublicKeyInfo (RFC 7469 §2.4).
  struct transport_fingerprint public_key;
  unsigned char *der;
  size_t der_length;
};

/// A name as in `transport_certificate`; null when out of memory. The caller frees it.
char *transport_name_text(const X509_NAME *name);

/// Reads a certificate; false when a part cannot be read, and then there is nothing to clear.
bool transport_certificate_read(X509 *certificate, struct transport_certificate *read);

void transport_certificate_clear(struct transport_certificate *read);

bool transport_certificate_fingerprint(X509 *certificate, struct transport_fingerprint *fingerprint);

bool transport_certificate_public_key(X509 *certificate, struct transport_fingerprint *fingerprint);

/// How many certificates the server presented: its own, and the others in its order.
int transport_presented_count(X509_STORE_CTX *chain);

/// The presented certificate at an index, lent for the life of the chain; the server's own is the first and is not
/// repeated.
X509 *transport_presented_at(X509_STORE_CTX *chain, int index);

/// SHA-256 of the SHA-256s of all presented certificates.
bool transport_presented_fingerprint(X509_STORE_CTX *chain, struct transport_fingerprint *fingerprint);

/// A copy of the presented certificates, the server's own first, for `transport_chain_free`; null when out of memory.
STACK_OF(X509) *transport_presented_copy(X509_STORE_CTX *chain);

void transport_chain_free(STACK_OF(X509) *chain);

/// How many certificates the chain has that evaluation built, the anchor included.
int transport_verified_count(X509_STORE_CTX *chain);

X509 *transport_verified_at(X509_STORE_CTX *chain, int index);

#endif
