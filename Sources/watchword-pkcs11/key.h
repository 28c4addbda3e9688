#ifndef KEY_H
#define KEY_H

#include <stddef.h>
#include <stdint.h>

#include "modules.h"
#include "token_wire.h"

/// A private key in a token, with its open session.
struct key {
  struct token token;
  CK_SESSION_HANDLE session;
  CK_OBJECT_HANDLE object;
  CK_KEY_TYPE type;
  /// CKA_ID: the certificate of the key has the same.
  uint8_t identifier[256];
  CK_ULONG identifier_bytes;
  /// The token requires the PIN for each signature (CKA_ALWAYS_AUTHENTICATE).
  bool asks_always;
};

/// Logs in to the only token that matches the URI and finds its only matching key. 0, or the fault.
///
/// The caller keeps the PIN, which is null when there is none.
enum token_fault key_open(
  struct key *key, const struct modules *modules, const char *uri, const uint8_t *pin, size_t pin_bytes);

/// Signs a digest. Returns the signature's length; 0 when the token fails, or the scheme does not suit its kind of
/// key.
size_t key_sign(
  const struct key *key, enum token_scheme scheme, enum token_hash hash, const uint8_t *digest,
  const uint8_t *pin, size_t pin_bytes, uint8_t *signature, size_t room);

#endif
