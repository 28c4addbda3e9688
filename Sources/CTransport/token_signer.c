#include <errno.h>
#include <openssl/bn.h>
#include <openssl/ecdsa.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "token_parts.h"

enum {
  /// The loop, and with it every exchange, waits for a signature: a card takes 0.2 s, a slow one a second. A token
  /// that takes longer is never used again, so that it delays the others once.
  signature_milliseconds = 2000,
};

void transport_token_end(struct transport_token *token) {
  if (token) shutdown(token->descriptor, SHUT_RDWR);
}

void transport_token_close(struct transport_token *token) {
  if (!token) return;
  close(token->descriptor);
  free(token);
}

static int64_t now_milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/// The next packet's length; 0 when none arrives in time.
static size_t receive(struct transport_token *token, uint8_t *packet, size_t room) {
  int64_t end = now_milliseconds() + signature_milliseconds;
  struct pollfd waiting = {.fd = token->descriptor, .events = POLLIN};
  for (int64_t left = signature_milliseconds; left > 0; left = end - now_milliseconds()) {
    if (poll(&waiting, 1, (int)left) <= 0) continue;
    ssize_t count = recv(token->descriptor, packet, room, MSG_DONTWAIT);
    if (count >= 0 || (errno != EAGAIN && errno != EINTR)) return count > 0 ? (size_t)count : 0;
  }
  return 0;
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
  uint8_t packet[token_packet_bytes] = {TOKEN_SIGN, scheme, hash};
  size_t count = token_hash_bytes(hash), signed_bytes = 0;
  if (count == 0 || token->has_failed) return 0;
  memcpy(packet + 3, digest, count);
  ssize_t sent = send(token->descriptor, packet, 3 + count, MSG_NOSIGNAL | MSG_DONTWAIT);
  count = sent > 0 ? receive(token, packet, sizeof packet) : 0;
  if (count > 1 && packet[0] == TOKEN_SIGNATURE) {
    signed_bytes = transport_token_encode(scheme, packet + 1, count - 1, signature, room);
  }
  token->has_failed = signed_bytes == 0;
  // A token that does not answer in time may never do so.
  if (token->has_failed) transport_token_end(token);
  return signed_bytes;
}
