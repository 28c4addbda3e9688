#ifndef TRANSPORT_TOKEN_PARTS_H
#define TRANSPORT_TOKEN_PARTS_H

// Keys in tokens; for the files whose names begin with token_, identity.c and identity_token.c.

#include <openssl/evp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "token_wire.h"

/// The connection to the process that holds a key. Used on one thread.
struct transport_token {
  int descriptor;
  /// It did not sign, or not in time: a later packet would be taken for the answer to another request.
  bool has_failed;
};

/// Ends the process. Remaining users of the key cannot sign any more.
void transport_token_end(struct transport_token *token);

/// Ends the process of a token that does not sign; it is not asked again.
void transport_token_fail(struct transport_token *token);

/// Closes the connection, which ends the process.
void transport_token_close(struct transport_token *token);

/// Has a digest signed, in the form that TLS carries, by a handshake that is a job and waits meanwhile.
/// Returns the signature's length, or 0.
size_t transport_token_sign(
  struct transport_token *token, enum token_scheme scheme, enum token_hash hash, const uint8_t *digest,
  uint8_t *signature, size_t room);

/// Converts a signature of PKCS#11 to the form that TLS carries: ECDSA to DER. Returns its length, or 0.
size_t transport_token_encode(
  enum token_scheme scheme, const uint8_t *signature, size_t count, uint8_t *encoded, size_t room);

/// A private key whose signatures the token makes. Null when out of memory, or TLS has no such keys.
///
/// `public_key` is the key of its certificate; `token` is null afterwards, unless the caller still owns it.
EVP_PKEY *transport_token_key(EVP_PKEY *public_key, struct transport_token **token);

#endif
