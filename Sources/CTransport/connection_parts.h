#ifndef TRANSPORT_CONNECTION_PARTS_H
#define TRANSPORT_CONNECTION_PARTS_H

// The state of a TLS connection; for connection.c and tls.c.

#include "connection.h"

/// The inputs of verification, for the life of the `SSL_CTX`: a TLS 1.2 server may start a second handshake on a
/// connection long after the exchange that opened it.
struct transport_connection {
  unsigned references;
  struct transport_tls_settings settings;
  uint64_t written;
  uint64_t read;
  bool is_flooded;
  bool wants_handshake;
  bool is_up;
  bool is_leaving;
  /// Whether the client's certificate has been chosen.
  bool has_chosen;
  /// Whether the rest of the handshake is to be a job.
  bool becomes_job;
  /// Whether a chain that waited for its OCSP response has been judged, and how.
  bool is_judged;
  bool is_accepted;
  uint32_t last_stream;
  enum transport_protocol protocol;
  char host[];
};

/// Makes the state of the only connection of an `SSL_CTX`, which releases it; copies its input. Null when out of
/// memory; takes over the settings' `context` in every case.
struct transport_connection *transport_connection_make(
  SSL_CTX *context, const struct transport_tls_settings *settings);

/// The state of a connection; null when it is none of ours.
struct transport_connection *transport_connection_in(const SSL *ssl);

#endif
