#include "identity.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "identity_parts.h"
#include "pem.h"
#include "token_parts.h"

enum {
  /// Signing with a longer RSA key takes the loop more than 50 ms for each handshake.
  maximum_rsa_bits = 8192,
};

/// Whether TLS signs with this kind of key (RFC 8446 §4.2.3).
static enum transport_identity_fault fault_of_key(const EVP_PKEY *key) {
  switch (EVP_PKEY_get_base_id(key)) {
  case EVP_PKEY_RSA:
  case EVP_PKEY_RSA_PSS:
    return EVP_PKEY_get_bits(key) > maximum_rsa_bits ? TRANSPORT_IDENTITY_TOO_LARGE : 0;
  case EVP_PKEY_EC:
  case EVP_PKEY_ED25519:
  case EVP_PKEY_ED448: return 0;
  default: return TRANSPORT_IDENTITY_UNSUPPORTED;
  }
}

/// RFC 5280 §4.2.1.3 and §4.2.1.12; an absent extension restricts nothing.
static bool is_for_clients(X509 *certificate) {
  uint32_t extended = X509_get_extended_key_usage(certificate);
  if (extended != UINT32_MAX && !(extended & (XKU_SSL_CLIENT | XKU_ANYEKU))) return false;
  uint32_t usage = X509_get_key_usage(certificate);
  return usage == UINT32_MAX || (usage & KU_DIGITAL_SIGNATURE);
}

/// Tests whether TLS accepts the three together.
static enum transport_identity_fault fault_in_tls(const struct transport_identity *identity) {
  SSL_CTX *context = SSL_CTX_new(TLS_client_method());
  if (!context) return TRANSPORT_IDENTITY_OUT_OF_MEMORY;
  bool fits = SSL_CTX_use_cert_and_key(context, identity->leaf, identity->key, identity->chain, 1) == 1;
  SSL_CTX_free(context);
  return fits ? 0 : TRANSPORT_IDENTITY_TOO_WEAK;
}

static bool is_root(X509 *certificate) { return (X509_get_extension_flags(certificate) & EXFLAG_SS) != 0; }

/// Takes the first certificate out that has issued this one; null without one.
static X509 *take_issuer(STACK_OF(X509) *certificates, X509 *issued) {
  for (int index = 0; index < sk_X509_num(certificates); index++) {
    if (X509_check_issued(sk_X509_value(certificates, index), issued) == X509_V_OK)
      return sk_X509_delete(certificates, index);
  }
  return NULL;
}

/// Leaves of the chain what servers may expect (RFC 8446 §4.4.2): each certificate certifies the one before, and the root,
/// which the server has, is left out. Some servers refuse others. False when out of memory.
static bool sort_chain(struct transport_identity *identity) {
  STACK_OF(X509) *sorted = sk_X509_new_reserve(NULL, sk_X509_num(identity->chain));
  if (!sorted) return false;
  X509 *last = identity->leaf, *issuer = NULL;
  while (!is_root(last) && (issuer = take_issuer(identity->chain, last)) && !is_root(issuer)) {
    sk_X509_push(sorted, issuer);
    last = issuer;
    issuer = NULL;
  }
  X509_free(issuer);
  sk_X509_pop_free(identity->chain, X509_free);
  identity->chain = sorted;
  return true;
}

struct transport_identity *transport_identity_put_together(
  STACK_OF(X509) *certificates, EVP_PKEY *key, enum transport_identity_fault *fault) {
  struct transport_identity *identity = calloc(1, sizeof *identity);
  if (!identity) {
    sk_X509_pop_free(certificates, X509_free);
    EVP_PKEY_free(key);
    *fault = TRANSPORT_IDENTITY_OUT_OF_MEMORY;
    return NULL;
  }
  identity->chain = certificates;
  identity->key = key;
  *fault = fault_of_key(key);
  for (int index = 0; !identity->leaf && index < sk_X509_num(certificates); index++) {
    if (X509_check_private_key(sk_X509_value(certificates, index), key) == 1) {
      identity->leaf = sk_X509_delete(certificates, index);
    }
  }
  if (!*fault && !identity->leaf) *fault = TRANSPORT_IDENTITY_KEY_MISMATCH;
  if (!*fault && !sort_chain(identity)) *fault = TRANSPORT_IDENTITY_OUT_OF_MEMORY;
  if (!*fault && !is_for_clients(identity->leaf)) *fault = TRANSPORT_IDENTITY_WRONG_PURPOSE;
  if (!*fault) *fault = fault_in_tls(identity);
  if (!*fault) return identity;
  transport_identity_free(identity);
  return NULL;
}

STACK_OF(X509) *transport_read_certificates(
  struct transport_bytes text, enum transport_identity_fault *fault) {
  STACK_OF(X509) *certificates = sk_X509_new_null();
  BIO *source = transport_pem_text(text.bytes, text.count);
  *fault = certificates && source ? 0 : TRANSPORT_IDENTITY_OUT_OF_MEMORY;
  X509 *certificate;
  // The callback never returns a passphrase: OpenSSL's own would ask on the terminal.
  while (!*fault && (certificate = PEM_read_bio_X509(source, NULL, transport_no_passphrase, NULL))) {
    if (sk_X509_num(certificates) == transport_identity_maximum_certificates) {
      *fault = TRANSPORT_IDENTITY_TOO_LARGE;
      X509_free(certificate);
    } else if (!sk_X509_push(certificates, certificate)) {
      *fault = TRANSPORT_IDENTITY_OUT_OF_MEMORY;
      X509_free(certificate);
    }
  }
  // OpenSSL reports the end of the text as a missing start line.
  bool has_ended = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  if (!*fault && (!has_ended || sk_X509_num(certificates) == 0)) {
    *fault = TRANSPORT_IDENTITY_CERTIFICATES_UNREADABLE;
  }
  BIO_free(source);
  if (!*fault) return certificates;
  sk_X509_pop_free(certificates, X509_free);
  return NULL;
}

struct transport_identity *transport_identity_read_pem(
  struct transport_bytes certificates, struct transport_bytes key, const struct transport_bytes *passphrase,
  enum transport_identity_fault *fault) {
  *fault = TRANSPORT_IDENTITY_TOO_LARGE;
  if (certificates.count > INT_MAX || key.count > INT_MAX || (passphrase && passphrase->count > INT_MAX)) {
    return NULL;
  }
  ERR_clear_error();
  transport_works_on_keys = true;
  STACK_OF(X509) *read = transport_read_certificates(certificates, fault);
  ERR_clear_error();
  EVP_PKEY *private_key = read ? transport_read_private_key(key, passphrase, fault) : NULL;
  struct transport_identity *identity = NULL;
  if (private_key) {
    identity = transport_identity_put_together(read, private_key, fault);
  } else {
    sk_X509_pop_free(read, X509_free);
  }
  transport_works_on_keys = false;
  ERR_clear_error();
  return identity;
}

struct transport_identity *transport_identity_read_pkcs12(
  struct transport_bytes bytes, const struct transport_bytes *passphrase,
  enum transport_identity_fault *fault) {
  *fault = TRANSPORT_IDENTITY_TOO_LARGE;
  if (bytes.count > INT_MAX || (passphrase && passphrase->count > INT_MAX)) return NULL;
  ERR_clear_error();
  transport_works_on_keys = true;
  struct transport_pkcs12 contents = {.key = NULL};
  *fault = transport_read_pkcs12(bytes, passphrase, &contents);
  struct transport_identity *identity = NULL;
  if (*fault) {
    sk_X509_pop_free(contents.certificates, X509_free);
    EVP_PKEY_free(contents.key);
  } else {
    identity = transport_identity_put_together(contents.certificates, contents.key, fault);
  }
  transport_works_on_keys = false;
  ERR_clear_error();
  return identity;
}

void transport_identity_free(struct transport_identity *identity) {
  if (!identity) return;
  // Open connections retain the key, but no longer need it.
  transport_token_end(identity->token);
  X509_free(identity->leaf);
  sk_X509_pop_free(identity->chain, X509_free);
  EVP_PKEY_free(identity->key);
  free(identity);
}

int transport_identity_count(const struct transport_identity *identity) {
  return 1 + sk_X509_num(identity->chain);
}

X509 *transport_identity_certificate(const struct transport_identity *identity, int index) {
  return index == 0 ? identity->leaf : sk_X509_value(identity->chain, index - 1);
}

bool transport_identity_install(const struct transport_identity *identity, SSL *connection) {
  return SSL_use_cert_and_key(connection, identity->leaf, identity->key, identity->chain, 1) == 1;
}
