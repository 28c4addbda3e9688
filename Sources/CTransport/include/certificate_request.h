#ifndef TRANSPORT_CERTIFICATE_REQUEST_H
#define TRANSPORT_CERTIFICATE_REQUEST_H

#include <openssl/ssl.h>
#include <stdbool.h>
#include <stdint.h>

#include "identity.h"

// A TLS CertificateRequest, during a handshake: on TLS 1.2 and 1.3 alike.

/// The kinds of key whose signatures the server accepts, one bit each.
enum transport_key_type {
  TRANSPORT_KEY_RSA = 1,
  TRANSPORT_KEY_EC = 2,
  TRANSPORT_KEY_ED25519 = 4,
  TRANSPORT_KEY_ED448 = 8,
};

/// How many authorities it names; 0 stands for any.
int transport_request_issuer_count(const SSL *_Nonnull connection);

X509_NAME *_Nullable transport_request_issuer(const SSL *_Nonnull connection, int index);

uint32_t transport_request_key_types(SSL *_Nonnull connection);

/// Presents the identity in this handshake. False when OpenSSL refuses it.
bool transport_identity_present(const struct transport_identity *_Nonnull identity, SSL *_Nonnull connection);

#endif
