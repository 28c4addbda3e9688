#include <openssl/bn.h>
#include <openssl/ecdsa.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "signing_parts.h"
#include "token_parts.h"

void transport_token_end(struct transport_token *token) {
  if (token) shutdown(token->descriptor, SHUT_RDWR);
}

void transport_token_fail(struct transport_token *token) {
  token->has_failed = true;
  // A token that does not answer in time may never do so.
  transport_token_end(token);
}

void transport_token_close(struct transport_token *token) {
  if (!token) return;
  close(token->descriptor);
  free(token);
}

size_t transport_token_encode(
  enum token_scheme scheme, const uint8_t *signature, size_t count, uint8_t *encoded, size_t room) {
  if (scheme != TOKEN_ECDSA) {
    if (count > room) return 0;
    memcpy(encoded, signature, count);
    return count;
  }
  int half = (int)(count / 2), bytes = 0;
  ECDSA_SIG *numbers = ECDSA_SIG_new();
  BIGNUM *r = BN_bin2bn(signature, half, NULL), *s = BN_bin2bn(signature + half, half, NULL);
  if (numbers && r && s && count > 0 && count % 2 == 0 && ECDSA_SIG_set0(numbers, r, s) == 1) {
    bytes = i2d_ECDSA_SIG(numbers, NULL);
    bytes = bytes > 0 && (size_t)bytes <= room ? i2d_ECDSA_SIG(numbers, &encoded) : 0;
  } else {
    BN_free(r);
    BN_free(s);
  }
  ECDSA_SIG_free(numbers);
  return bytes > 0 ? (size_t)bytes : 0;
}

size_t transport_token_sign(
  struct transport_token *token, enum token_scheme scheme, enum token_hash hash, const uint8_t *digest,
  uint8_t *signature, size_t room) {
  uint8_t packet[3 + EVP_MAX_MD_SIZE] = {TOKEN_SIGN, scheme, hash};
  size_t count = token_hash_bytes(hash), signed_bytes = 0;
  if (count == 0 || token->has_failed) return 0;
  memcpy(packet + 3, digest, count);
  const uint8_t *answer = NULL;
  enum transport_signing_result result = transport_signing_wait(packet, 3 + count, &answer, &count);
  if (result == TRANSPORT_SIGNING_SIGNED) {
    signed_bytes = transport_token_encode(scheme, answer + 1, count - 1, signature, room);
  }
  if (signed_bytes == 0 && result != TRANSPORT_SIGNING_GIVEN_UP) transport_token_fail(token);
  return signed_bytes;
}
