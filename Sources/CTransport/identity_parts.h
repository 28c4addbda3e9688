#ifndef TRANSPORT_IDENTITY_PARTS_H
#define TRANSPORT_IDENTITY_PARTS_H

// How identities are read; for identity.c and the files beside it.

#include <openssl/pkcs12.h>
#include <openssl/x509.h>

#include "identity.h"

enum {
  /// Chains are three certificates long, sometimes five; bundles of several authorities come to a dozen.
  transport_identity_maximum_certificates = 32,
  /// Rounds of key derivation in all: files of today have up to a million, of which one takes half a microsecond.
  transport_identity_maximum_rounds = 2000000,
};

struct transport_identity {
  X509 *leaf;
  STACK_OF(X509) *chain;
  EVP_PKEY *key;
  /// Where the key is, lent by it; null when it is here.
  struct transport_token *token;
};

/// Takes the certificate of the key out of the others. `certificates` and `key` are used up, whatever happens.
struct transport_identity *transport_identity_put_together(
  STACK_OF(X509) *certificates, EVP_PKEY *key, enum transport_identity_fault *fault);

/// Every certificate of the text; blocks of other kinds are passed over.
STACK_OF(X509) *transport_read_certificates(struct transport_bytes text, enum transport_identity_fault *fault);

/// A `pem_password_cb` that says that there is none; OpenSSL's own asks on the terminal.
int transport_no_passphrase(char *buffer, int size, int is_for_writing, void *context);

/// The first private key of a PEM text.
EVP_PKEY *transport_read_private_key(
  struct transport_bytes text, const struct transport_bytes *passphrase,
  enum transport_identity_fault *fault);

/// Decrypts a PKCS#8 key; with OpenSSL's legacy ciphers where it needs them. Adds to `rounds`.
PKCS8_PRIV_KEY_INFO *transport_decrypt_key(
  const X509_SIG *encrypted, const struct transport_bytes *passphrase, int64_t *rounds,
  enum transport_identity_fault *fault);

/// Adds what a derivation costs; false when that is beyond the bound, or cannot be told.
bool transport_add_rounds(const X509_ALGOR *algorithm, int64_t *rounds);

/// Where RC2, RC4 and single DES are; null when OpenSSL came without them. Made once, when a file needs them, and apart
/// from everything else: no connection can use these ciphers.
OSSL_LIB_CTX *transport_legacy_library(void);

/// Whether the last thing that failed did so for want of an algorithm.
bool transport_lacks_algorithm(void);

struct transport_pkcs12 {
  EVP_PKEY *key;
  STACK_OF(X509) *certificates;
};

/// Reads a PKCS#12 file; what it has put into `contents` is the caller's, also when it failed. 0 when it did not.
enum transport_identity_fault transport_read_pkcs12(
  struct transport_bytes bytes, const struct transport_bytes *passphrase, struct transport_pkcs12 *contents);

#endif
