#include "connection.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "connection_parts.h"

static int connection_index = -1;

static void free_connection(
  void *parent, void *pointer, CRYPTO_EX_DATA *data, int index, long argl, void *argp) {
  transport_connection_release(pointer);
}

static void make_indices(void) {
  connection_index = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, free_connection);
}

struct transport_connection *transport_connection_make(
  SSL_CTX *context, const struct transport_tls_settings *settings) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_indices);
  size_t length = strlen(settings->rules.host) + 1;
  struct transport_connection *connection = connection_index < 0 ? NULL : malloc(sizeof *connection + length);
  if (!connection) {
    settings->release(settings->context);
    return NULL;
  }
  *connection = (struct transport_connection){.references = 1, .settings = *settings};
  if (settings->resumption) transport_resumption_retain(settings->resumption);
  memcpy(connection->host, settings->rules.host, length);
  connection->settings.rules.host = connection->host;
  if (SSL_CTX_set_ex_data(context, connection_index, connection)) return connection;
  transport_connection_release(connection);
  return NULL;
}

struct transport_connection *transport_connection_in(const SSL *ssl) {
  return connection_index < 0 ? NULL : SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), connection_index);
}

struct transport_connection *transport_connection_of(CURL *easy) {
  const struct curl_tlssessioninfo *session = NULL;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session) return NULL;
  SSL *ssl = session->internals;
  if (session->backend != CURLSSLBACKEND_OPENSSL || !ssl) return NULL;
  struct transport_connection *connection = transport_connection_in(ssl);
  if (!connection) return NULL;
  const uint8_t *name = NULL;
  unsigned length = 0;
  SSL_get0_alpn_selected(ssl, &name, &length);
  if (length == 2 && memcmp(name, "h2", 2) == 0) connection->protocol = TRANSPORT_PROTOCOL_HTTP2;
  else if (length > 0) connection->protocol = TRANSPORT_PROTOCOL_HTTP1;
  connection->is_up = !connection->settings.is_proxy && SSL_is_init_finished(ssl);
  connection->references++;
  return connection;
}

void transport_connection_release(struct transport_connection *connection) {
  if (!connection || --connection->references > 0) return;
  transport_resumption_release(connection->settings.resumption);
  connection->settings.release(connection->settings.context);
  free(connection);
}

bool transport_connection_is_up(const struct transport_connection *connection) { return connection->is_up; }

bool transport_connection_is_shared(const struct transport_connection *connection) {
  // One for its TLS context, one for the exchange that asks.
  return connection->references > 2;
}

uint64_t transport_connection_written(const struct transport_connection *connection) {
  return connection->written;
}

uint64_t transport_connection_read(const struct transport_connection *connection) { return connection->read; }

void transport_connection_end(const struct transport_connection *connection) {
  if (connection->settings.socket >= 0) shutdown(connection->settings.socket, SHUT_RDWR);
}

long transport_connection_remote_address(
  const struct transport_connection *connection, char *address, size_t size) {
  return transport_socket_remote_address(connection->settings.socket, address, size);
}

long transport_socket_remote_address(int socket, char *address, size_t size) {
  struct sockaddr_storage remote;
  socklen_t length = sizeof remote;
  if (socket < 0 || getpeername(socket, (struct sockaddr *)&remote, &length) != 0) return 0;
  if (getnameinfo((struct sockaddr *)&remote, length, address, size, NULL, 0, NI_NUMERICHOST) != 0) return 0;
  if (remote.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&remote)->sin_port);
  return remote.ss_family == AF_INET6 ? ntohs(((struct sockaddr_in6 *)&remote)->sin6_port) : 0;
}

bool transport_connection_is_flooded(const struct transport_connection *connection) {
  return connection->is_flooded;
}

bool transport_connection_wants_handshake(const struct transport_connection *connection) {
  return connection->wants_handshake;
}

void transport_connection_leave(struct transport_connection *connection, uint32_t last_stream) {
  connection->is_leaving = true;
  connection->last_stream = last_stream;
}

bool transport_connection_leaves_out(const struct transport_connection *connection, uint32_t stream) {
  return connection->is_leaving && stream > connection->last_stream;
}

enum transport_protocol transport_connection_protocol(const struct transport_connection *connection) {
  return connection->protocol;
}
