#ifndef TRANSPORT_TOKEN_PARTS_H
#define TRANSPORT_TOKEN_PARTS_H

// Keys that are in tokens; for the files whose names begin with token_, identity.c and identity_token.c.

#include <openssl/evp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "token_wire.h"

/// The connection to the process that holds a key. Used on one thread.
struct transport_token {
  int descriptor;
  /// It did not sign, or not in time: what it may still send would be taken for an answer to something else.
  bool has_failed;
};

/// Ends the process. Whoever still has the key can sign no more.
void transport_token_end(struct transport_token *token);

/// Closes the connection, which ends the process.
void transport_token_close(struct transport_token *token);

/// Has a digest signed, in the form that TLS carries. Waits for it. The signature's length, or 0.
size_t transport_token_sign(
  struct transport_token *token, enum token_scheme scheme, enum token_hash hash, const uint8_t *digest,
  uint8_t *signature, size_t room);

/// A signature of PKCS#11 in the form that TLS carries: of ECDSA, DER instead of two numbers. Its length, or 0.
size_t transport_token_encode(
  enum token_scheme scheme, const uint8_t *signature, size_t count, uint8_t *encoded, size_t room);

/// A private key that has its signatures made by the token. Null when memory is short, or TLS has no such keys.
///
/// `public_key` is the key of its certificate; `token` is null afterwards, unless it is still the caller's.
EVP_PKEY *transport_token_key(EVP_PKEY *public_key, struct transport_token **token);

#endif
