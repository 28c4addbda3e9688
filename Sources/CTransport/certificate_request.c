#include "certificate_request.h"

#include <openssl/err.h>

int transport_request_issuer_count(const SSL *connection) {
  int count = sk_X509_NAME_num(SSL_get0_peer_CA_list(connection));
  return count < 0 ? 0 : count;
}

X509_NAME *transport_request_issuer(const SSL *connection, int index) {
  return sk_X509_NAME_value(SSL_get0_peer_CA_list(connection), index);
}

static uint32_t key_type(int signature) {
  switch (signature) {
  case EVP_PKEY_RSA:
  case EVP_PKEY_RSA_PSS: return TRANSPORT_KEY_RSA;
  case EVP_PKEY_EC: return TRANSPORT_KEY_EC;
  case EVP_PKEY_ED25519: return TRANSPORT_KEY_ED25519;
  case EVP_PKEY_ED448: return TRANSPORT_KEY_ED448;
  default: return 0;
  }
}

/// RFC 5246 §7.4.4 and RFC 8422 §5.5; TLS 1.3 has no such list.
static uint32_t allowed_by_types(SSL *connection) {
  const unsigned char *types = NULL;
  size_t count = SSL_get0_certificate_types(connection, &types);
  uint32_t allowed = 0;
  for (size_t index = 0; index < count; index++) {
    if (types[index] == TLS_CT_RSA_SIGN) allowed |= TRANSPORT_KEY_RSA;
    if (types[index] == TLS_CT_ECDSA_SIGN) {
      allowed |= TRANSPORT_KEY_EC | TRANSPORT_KEY_ED25519 | TRANSPORT_KEY_ED448;
    }
  }
  return count == 0 ? UINT32_MAX : allowed;
}

uint32_t transport_request_key_types(SSL *connection) {
  uint32_t types = 0;
  int signature = NID_undef;
  int count = SSL_get_sigalgs(connection, -1, NULL, NULL, NULL, NULL, NULL);
  for (int index = 0; index < count; index++) {
    SSL_get_sigalgs(connection, index, &signature, NULL, NULL, NULL, NULL);
    types |= key_type(signature);
  }
  return types & allowed_by_types(connection);
}

bool transport_identity_present(const struct transport_identity *identity, SSL *connection) {
  bool is_taken = transport_identity_install(identity, connection);
  if (!is_taken) ERR_clear_error();
  return is_taken;
}
