#ifndef TRANSPORT_IDENTITY_PARTS_H
#define TRANSPORT_IDENTITY_PARTS_H

// Functions that read identities; for identity.c and the files beside it.

#include <openssl/pkcs12.h>
#include <openssl/x509.h>

#include "identity.h"

enum {
  /// Chains have three certificates, sometimes five; bundles of several authorities have about a dozen.
  transport_identity_maximum_certificates = 32,
  /// Rounds of key derivation in total: current files have up to a million, and one round takes half a microsecond.
  transport_identity_maximum_rounds = 2000000,
};

struct transport_identity {
  X509 *leaf;
  STACK_OF(X509) *chain;
  EVP_PKEY *key;
  /// The connection to the process with the key, lent by the key; null when the key is in this process.
  struct transport_token *token;
};

/// Finds the certificate of the key among the others. Takes over `certificates` and `key` in every case.
struct transport_identity *transport_identity_put_together(
  STACK_OF(X509) *certificates, EVP_PKEY *key, enum transport_identity_fault *fault);

/// Every certificate of the text; blocks of other kinds are skipped.
STACK_OF(X509) *transport_read_certificates(struct transport_bytes text, enum transport_identity_fault *fault);

/// A `pem_password_cb` that returns no passphrase; OpenSSL's own asks on the terminal.
int transport_no_passphrase(char *buffer, int size, int is_for_writing, void *context);

/// The first private key of a PEM text.
EVP_PKEY *transport_read_private_key(
  struct transport_bytes text, const struct transport_bytes *passphrase,
  enum transport_identity_fault *fault);

/// Decrypts a PKCS#8 key; with OpenSSL's legacy ciphers if necessary. Adds to `rounds`.
PKCS8_PRIV_KEY_INFO *transport_decrypt_key(
  const X509_SIG *encrypted, const struct transport_bytes *passphrase, int64_t *rounds,
  enum transport_identity_fault *fault);

/// Adds the cost of a derivation; false when it exceeds the bound, or is unknown.
bool transport_add_rounds(const X509_ALGOR *algorithm, int64_t *rounds);

/// The library with RC2, RC4 and single DES; null when OpenSSL lacks them. Created once, when a file needs them, and
/// separate from everything else: no connection can use these ciphers.
OSSL_LIB_CTX *transport_legacy_library(void);

/// Whether the last failure was due to a missing algorithm.
bool transport_lacks_algorithm(void);

/// Whether this thread reads or writes a private key: OpenSSL's decoders and encoders free its plain text without wiping
/// it, and what is freed meanwhile is wiped. Not always: a handshake would take a tenth longer.
extern _Thread_local bool transport_works_on_keys;

struct transport_pkcs12 {
  EVP_PKEY *key;
  STACK_OF(X509) *certificates;
};

/// Reads a PKCS#12 file; the caller owns `contents`, also on failure. 0 on success.
enum transport_identity_fault transport_read_pkcs12(
  struct transport_bytes bytes, const struct transport_bytes *passphrase, struct transport_pkcs12 *contents);

#endif
