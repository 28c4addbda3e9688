#ifndef TRANSPORT_SIGNING_PARTS_H
#define TRANSPORT_SIGNING_PARTS_H

// Handshakes that wait for a token; for signing.c, tls.c and token_signer.c.

#include "signing.h"

/// What this handshake waits with; null when its key is in no token.
struct transport_signing *transport_signing_of(const SSL *connection);

/// Continues a handshake as a job. Its callback of the certificate has returned -1 before, and returns 1 now.
void transport_signing_start_job(SSL *connection);

enum transport_signing_result {
  TRANSPORT_SIGNING_SIGNED,
  /// The token has not signed.
  TRANSPORT_SIGNING_FAILED,
  /// The handshake was given up.
  TRANSPORT_SIGNING_GIVEN_UP,
};

/// Waits in a job until the request has been answered; fails outside of one. `answer` is lent.
enum transport_signing_result transport_signing_wait(
  const uint8_t *request, size_t request_count, const uint8_t **answer, size_t *answer_count);

#endif
