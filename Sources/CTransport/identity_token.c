#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "identity_parts.h"
#include "token_parts.h"

/// The text that a token signs to prove that it has the key; no message of TLS can equal it.
static const char proof_text[] = "watchword: the key is that of the certificate";

/// Whether a certificate is preferred to another one of the same key: it is valid, or is so for longer.
static bool is_better(const X509 *one, const X509 *other) {
  bool is_valid = X509_cmp_timeframe(NULL, X509_get0_notBefore(one), X509_get0_notAfter(one)) == 0;
  bool is_other_valid = X509_cmp_timeframe(NULL, X509_get0_notBefore(other), X509_get0_notAfter(other)) == 0;
  if (is_valid != is_other_valid) return is_valid;
  return ASN1_TIME_compare(X509_get0_notAfter(one), X509_get0_notAfter(other)) > 0;
}

/// The best certificate of the key, and those of the others that lead from it to an authority.
static STACK_OF(X509) *chain_of(const struct transport_bytes *stored, size_t count, size_t own_count) {
  STACK_OF(X509) *all = sk_X509_new_null(), *chain = sk_X509_new_null();
  int best = -1;
  for (size_t index = 0; all && index < count; index++) {
    const unsigned char *next = stored[index].bytes;
    X509 *read = stored[index].count <= LONG_MAX ? d2i_X509(NULL, &next, (long)stored[index].count) : NULL;
    if (!read || !sk_X509_push(all, read)) {
      X509_free(read);
    } else if (index < own_count && (best < 0 || is_better(read, sk_X509_value(all, best)))) {
      best = sk_X509_num(all) - 1;
    }
  }
  // Without its certificate the key cannot be used.
  X509 *last = chain && best >= 0 ? sk_X509_delete(all, best) : NULL;
  while (last && sk_X509_push(chain, last) && sk_X509_num(chain) < transport_identity_maximum_certificates) {
    X509 *issuer = NULL;
    for (int index = 0; !issuer && index < sk_X509_num(all); index++) {
      if (X509_check_issued(sk_X509_value(all, index), last) == X509_V_OK) issuer = sk_X509_delete(all, index);
    }
    last = issuer;
  }
  sk_X509_pop_free(all, X509_free);
  return chain;
}

struct transport_identity *transport_identity_of_token(
  struct transport_bytes given, const struct transport_bytes *stored, size_t stored_count, size_t own_count,
  int descriptor, enum transport_identity_fault *fault) {
  struct transport_token *token = malloc(sizeof *token);
  *fault = token ? 0 : TRANSPORT_IDENTITY_OUT_OF_MEMORY;
  if (!token) {
    close(descriptor);
    return NULL;
  }
  *token = (struct transport_token){.descriptor = descriptor};
  struct transport_token *lent = token;
  ERR_clear_error();
  if (given.count > INT_MAX) *fault = TRANSPORT_IDENTITY_TOO_LARGE;
  STACK_OF(X509) *certificates = NULL;
  if (!*fault) {
    certificates = given.count > 0 ? transport_read_certificates(given, fault)
                                   : chain_of(stored, stored_count, own_count);
  }
  if (!*fault && sk_X509_num(certificates) <= 0) *fault = TRANSPORT_IDENTITY_CERTIFICATE_MISSING;
  EVP_PKEY *public_key = *fault ? NULL : X509_get0_pubkey(sk_X509_value(certificates, 0));
  EVP_PKEY *key = public_key ? transport_token_key(public_key, &token) : NULL;
  struct transport_identity *identity = NULL;
  if (key) {
    identity = transport_identity_put_together(certificates, key, fault);
  } else {
    if (!*fault) *fault = TRANSPORT_IDENTITY_UNSUPPORTED;
    sk_X509_pop_free(certificates, X509_free);
  }
  if (identity) identity->token = lent;
  transport_token_close(token);
  ERR_clear_error();
  return identity;
}

static enum token_scheme proof_scheme(const struct transport_identity *identity) {
  return EVP_PKEY_is_a(identity->key, "RSA") ? TOKEN_RSA_PKCS1 : TOKEN_ECDSA;
}

static bool digest_proof(uint8_t digest[EVP_MAX_MD_SIZE]) {
  return EVP_Q_digest(NULL, "SHA256", NULL, proof_text, sizeof proof_text, digest, NULL) == 1;
}

size_t transport_identity_ask_for_proof(
  const struct transport_identity *identity, uint8_t *packet, size_t room) {
  uint8_t digest[EVP_MAX_MD_SIZE];
  size_t count = 3 + token_hash_bytes(TOKEN_SHA256);
  if (!identity->token || room < count || !digest_proof(digest)) return 0;
  packet[0] = TOKEN_SIGN;
  packet[1] = proof_scheme(identity);
  packet[2] = TOKEN_SHA256;
  memcpy(packet + 3, digest, count - 3);
  return count;
}

bool transport_identity_is_proof(
  const struct transport_identity *identity, const uint8_t *packet, size_t count) {
  uint8_t digest[EVP_MAX_MD_SIZE], signature[token_packet_bytes];
  if (count < 2 || packet[0] != TOKEN_SIGNATURE || !digest_proof(digest)) return false;
  size_t bytes =
    transport_token_encode(proof_scheme(identity), packet + 1, count - 1, signature, sizeof signature);
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(X509_get0_pubkey(identity->leaf), NULL);
  bool is_proof = bytes > 0 && context && EVP_PKEY_verify_init(context) == 1
    && EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) == 1
    && EVP_PKEY_verify(context, signature, bytes, digest, token_hash_bytes(TOKEN_SHA256)) == 1;
  EVP_PKEY_CTX_free(context);
  ERR_clear_error();
  return is_proof;
}

bool transport_identity_has_failed(const struct transport_identity *identity) {
  return identity->token && identity->token->has_failed;
}

void transport_identity_fail(const struct transport_identity *identity) {
  if (identity->token) transport_token_fail(identity->token);
}

int transport_identity_duplicate(const struct transport_identity *identity) {
  return identity->token ? fcntl(identity->token->descriptor, F_DUPFD_CLOEXEC, 0) : -1;
}
