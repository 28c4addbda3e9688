#ifndef TRANSPORT_CONNECTION_H
#define TRANSPORT_CONNECTION_H

#include <curl/curl.h>
#include <openssl/ssl.h>
#include <stdbool.h>
#include <stdint.h>

#include "tls.h"

/// The state of one TLS connection. Counted by reference: it lives as long as the connection, and as long as an
/// exchange that uses it.
struct transport_connection;

/// The TLS connection that libcurl has found for a running transfer, with a reference for the caller; null in
/// cleartext. Call it from `CURLOPT_PREREQFUNCTION`.
struct transport_connection *_Nullable transport_connection_of(CURL *_Nonnull easy);

void transport_connection_release(struct transport_connection *_Nullable connection);

/// Whether its handshake was done, and with the origin, when `transport_connection_of` was called last.
bool transport_connection_is_up(const struct transport_connection *_Nonnull connection);

/// Whether another exchange uses the connection, too. Call it from libcurl's callback before a request.
bool transport_connection_is_shared(const struct transport_connection *_Nonnull connection);

/// TLS records with application data written so far: if unchanged, no part of a request was written.
uint64_t transport_connection_written(const struct transport_connection *_Nonnull connection);

/// TLS records read so far: if unchanged, the peer has sent nothing.
uint64_t transport_connection_read(const struct transport_connection *_Nonnull connection);

/// Ends the connection for all its exchanges. Call it while there is one.
void transport_connection_end(const struct transport_connection *_Nonnull connection);

/// Writes the numeric address at the other end of the connection's socket; the port, or 0 when it is not known. Call it
/// while there is a connection.
long transport_connection_remote_address(
  const struct transport_connection *_Nonnull connection, char *_Nonnull address, size_t size);

/// The same of a socket; -1 has none.
long transport_socket_remote_address(int socket, char *_Nonnull address, size_t size);

/// Whether the guard has ended the connection.
bool transport_connection_is_flooded(const struct transport_connection *_Nonnull connection);

/// Whether the server wanted a second handshake, which was refused (RFC 5246 §7.4.1.1).
bool transport_connection_wants_handshake(const struct transport_connection *_Nonnull connection);

/// The server will process no stream beyond this one (GOAWAY, RFC 9113 §6.8).
void transport_connection_leave(struct transport_connection *_Nonnull connection, uint32_t last_stream);

/// Whether the server has said that it does not process this stream.
bool transport_connection_leaves_out(const struct transport_connection *_Nonnull connection, uint32_t stream);

/// The protocol that the server selected from those offered (ALPN, RFC 7301).
enum transport_protocol {
  /// No selection: HTTP/1.1, or a server that supports none of the offered protocols.
  TRANSPORT_PROTOCOL_UNKNOWN,
  TRANSPORT_PROTOCOL_HTTP1,
  TRANSPORT_PROTOCOL_HTTP2,
};

enum transport_protocol transport_connection_protocol(const struct transport_connection *_Nonnull connection);

#endif
