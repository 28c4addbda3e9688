#ifndef TRANSPORT_IDENTITY_H
#define TRANSPORT_IDENTITY_H

#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Why a client identity cannot be made from the given input.
enum transport_identity_fault {
  TRANSPORT_IDENTITY_CERTIFICATES_UNREADABLE = 1,
  TRANSPORT_IDENTITY_KEY_UNREADABLE,
  TRANSPORT_IDENTITY_PKCS12_UNREADABLE,
  /// The key is encrypted, and no passphrase was given.
  TRANSPORT_IDENTITY_PASSPHRASE_NEEDED,
  TRANSPORT_IDENTITY_WRONG_PASSPHRASE,
  /// The key belongs to none of the certificates.
  TRANSPORT_IDENTITY_KEY_MISMATCH,
  /// The certificate is not for a client of TLS.
  TRANSPORT_IDENTITY_WRONG_PURPOSE,
  /// OpenSSL lacks the cipher that the key is encrypted with, or TLS the kind of key.
  TRANSPORT_IDENTITY_UNSUPPORTED,
  /// The key or a signature is below the security level of TLS connections.
  TRANSPORT_IDENTITY_TOO_WEAK,
  /// Too many certificates, bits, or rounds to derive a key from the passphrase.
  TRANSPORT_IDENTITY_TOO_LARGE,
  TRANSPORT_IDENTITY_OUT_OF_MEMORY,
  /// The token has none, and none was given.
  TRANSPORT_IDENTITY_CERTIFICATE_MISSING,
};

/// Bytes lent for a call.
struct transport_bytes {
  const void *_Nullable bytes;
  size_t count;
};

/// A certificate, its chain, and its private key.
///
/// Immutable, and usable on any thread; one of a token only on one. No function here opens a file or asks for a
/// passphrase.
struct transport_identity;

/// From PEM certificates in any order and one PEM private key: PKCS#8, encrypted or not, or the traditional forms.
/// `passphrase` is null when there is none. Null with the fault set. May take as long as a second.
struct transport_identity *_Nullable transport_identity_read_pem(
  struct transport_bytes certificates, struct transport_bytes key,
  const struct transport_bytes *_Nullable passphrase, enum transport_identity_fault *_Nonnull fault);

/// The same from PKCS#12 (RFC 7292).
struct transport_identity *_Nullable transport_identity_read_pkcs12(
  struct transport_bytes bytes, const struct transport_bytes *_Nullable passphrase,
  enum transport_identity_fault *_Nonnull fault);

/// From a key in a token that a process has opened at the other end of `descriptor`, which the identity takes over.
///
/// The certificates are the PEM text `given`, the key's first, or those of the token in DER if there is no text: then
/// the best of the first `own_count`, which have the key's id, is used, and the rest of its chain is searched among
/// all. Null with the fault set; `descriptor` is closed.
struct transport_identity *_Nullable transport_identity_of_token(
  struct transport_bytes given, const struct transport_bytes *_Nullable stored, size_t stored_count,
  size_t own_count, int descriptor, enum transport_identity_fault *_Nonnull fault);

/// The packet that asks the token to prove that its key is that of the certificate. Its length; 0 for other
/// identities.
size_t transport_identity_ask_for_proof(
  const struct transport_identity *_Nonnull identity, uint8_t *_Nonnull packet, size_t room);

/// Whether the token's answer proves it.
bool transport_identity_is_proof(
  const struct transport_identity *_Nonnull identity, const uint8_t *_Nonnull packet, size_t count);

/// Whether its token has failed to sign; it is not used any more.
bool transport_identity_has_failed(const struct transport_identity *_Nonnull identity);

/// Notes that its token does not sign, and ends the process with the key.
void transport_identity_fail(const struct transport_identity *_Nonnull identity);

/// A duplicate of the connection to the process with the key, which the caller closes; -1 when descriptors have run
/// out, or the key is in no token.
int transport_identity_duplicate(const struct transport_identity *_Nonnull identity);

/// Wipes the key.
void transport_identity_free(struct transport_identity *_Nullable identity);

/// How many certificates it has.
int transport_identity_count(const struct transport_identity *_Nonnull identity);

/// The certificate of the key for 0, then its chain; lent.
X509 *_Nullable transport_identity_certificate(const struct transport_identity *_Nonnull identity, int index);

enum { transport_name_digest_bytes = 32 };

/// Hashes a name so that names which RFC 5280 §7.1 considers equal have the same hash: with another string type,
/// letter case or other spaces. False when out of memory.
bool transport_name_digest(
  const X509_NAME *_Nonnull name, uint8_t digest[_Nonnull transport_name_digest_bytes]);

/// The certificate of the key and its chain as PEM. Null when out of memory; `BIO_free` ends it.
BIO *_Nullable transport_identity_certificates_text(const struct transport_identity *_Nonnull identity);

/// The key as PEM: PKCS#8 without encryption (RFC 7468 §10). Null when it is in a token, or when out of memory;
/// `BIO_free` wipes it.
BIO *_Nullable transport_identity_key_text(const struct transport_identity *_Nonnull identity);

/// The bytes of one of these texts, lent until it ends.
struct transport_bytes transport_text_bytes(BIO *_Nonnull text);

/// Sets the three on a connection; see `transport_identity_present`.
bool transport_identity_install(const struct transport_identity *_Nonnull identity, SSL *_Nonnull connection);

#endif
