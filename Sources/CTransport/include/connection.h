#ifndef TRANSPORT_CONNECTION_H
#define TRANSPORT_CONNECTION_H

#include <curl/curl.h>
#include <openssl/ssl.h>
#include <stdbool.h>
#include <stdint.h>

#include "tls.h"

/// What is known of one TLS connection. Counted by reference: it lives as long as the connection, and as long as an
/// exchange that was given to it.
struct transport_connection;

/// The TLS connection that libcurl has found for a running transfer, with a reference for the caller; null in clear.
/// To be called from `CURLOPT_PREREQFUNCTION`.
struct transport_connection *_Nullable transport_connection_of(CURL *_Nonnull easy);

void transport_connection_release(struct transport_connection *_Nullable connection);

/// Whether another exchange is on the connection, too. To be called from libcurl's callback before a request.
bool transport_connection_is_shared(const struct transport_connection *_Nonnull connection);

/// TLS records with application data written so far: none of a request was written while the number stands still.
uint64_t transport_connection_written(const struct transport_connection *_Nonnull connection);

/// TLS records read so far: the peer has said nothing while the number stands still.
uint64_t transport_connection_read(const struct transport_connection *_Nonnull connection);

/// Ends the connection for all exchanges that are on it. To be called while one is.
void transport_connection_end(const struct transport_connection *_Nonnull connection);

/// Whether the guard has ended the connection.
bool transport_connection_is_flooded(const struct transport_connection *_Nonnull connection);

/// What the server has chosen of the protocols that it was offered (ALPN, RFC 7301).
enum transport_protocol {
  /// It did not say: HTTP/1.1, or a server that speaks only what it was not offered.
  TRANSPORT_PROTOCOL_UNKNOWN,
  TRANSPORT_PROTOCOL_HTTP1,
  TRANSPORT_PROTOCOL_HTTP2,
};

enum transport_protocol transport_connection_protocol(const struct transport_connection *_Nonnull connection);

#endif
