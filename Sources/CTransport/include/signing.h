#ifndef TRANSPORT_SIGNING_H
#define TRANSPORT_SIGNING_H

#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  /// A TOKEN_SIGN: its kind, scheme and hash, and a digest.
  transport_signing_request_bytes = 3 + 64,
  /// A TOKEN_SIGNATURE of an RSA key of 16,384 bits.
  transport_signing_answer_bytes = 1 + 2048,
};

enum transport_signing_state {
  /// The handshake has not come to its signature.
  TRANSPORT_SIGNING_NOT_YET,
  /// The handshake waits, and its request has not been taken.
  TRANSPORT_SIGNING_WANTED,
  /// The handshake waits for the answer.
  TRANSPORT_SIGNING_ASKED,
  /// The answer is there; the handshake goes on with the next call of its connection.
  TRANSPORT_SIGNING_ANSWERED,
  /// There will be no answer; the handshake fails with the next call of its connection.
  TRANSPORT_SIGNING_REFUSED,
  /// The handshake has gone on, or has failed.
  TRANSPORT_SIGNING_OVER,
};

/// The signature of a token that one handshake waits for.
///
/// From the choice of the certificate to the signature, the handshake is a job of OpenSSL (ASYNC_start_job(3)): it has
/// a stack of its own, of 32 KiB, and waits without its thread. No function of Swift is called on that stack.
struct transport_signing {
  enum transport_signing_state state;
  uint8_t request[transport_signing_request_bytes];
  size_t request_count;
  uint8_t answer[transport_signing_answer_bytes];
  size_t answer_count;
  /// A fatal alert of the server that came on the stack of the job; 0 when none has come.
  int alert;
  /// Whether the token failed; false when the handshake was given up.
  bool is_token_failure;
  /// Null before the connection is known, and when it has been freed.
  SSL *_Nullable connection;
};

/// Has the handshake wait with this; called where the client's certificate is chosen. `signing` outlives the
/// connection. False when out of memory.
bool transport_signing_begin(struct transport_signing *_Nonnull signing, SSL *_Nonnull connection);

/// Sends the request to the process that holds the key; false when that has ended.
bool transport_signing_send(const struct transport_signing *_Nonnull signing, int descriptor);

/// Receives the packet that the process has sent. 1 when it is a signature, 0 when there is no packet yet, -1 when
/// there will be none, or it is no signature.
int transport_signing_receive(struct transport_signing *_Nonnull signing, int descriptor);

/// Ends a handshake that waits, and frees its job. The connection can only be closed then. Not to be called from inside
/// libcurl.
void transport_signing_unwind(struct transport_signing *_Nonnull signing);

#endif
