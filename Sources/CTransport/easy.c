#define _GNU_SOURCE
#include "easy.h"

#include <stdlib.h>
#include <string.h>

CURLcode transport_easy_set_callbacks(CURL *easy, const struct transport_callbacks *callbacks) {
  CURLcode code = CURLE_OK;
#define SET(option, value) \
  if (code == CURLE_OK) code = curl_easy_setopt(easy, option, value)
  SET(CURLOPT_HEADERFUNCTION, transport_head_collect);
  SET(CURLOPT_HEADERDATA, callbacks->head);
  SET(CURLOPT_WRITEFUNCTION, callbacks->write);
  SET(CURLOPT_WRITEDATA, callbacks->exchange);
  if (callbacks->read) {
    SET(CURLOPT_READFUNCTION, callbacks->read);
    SET(CURLOPT_READDATA, callbacks->exchange);
    SET(CURLOPT_SEEKFUNCTION, callbacks->seek);
    SET(CURLOPT_SEEKDATA, callbacks->exchange);
  }
  SET(CURLOPT_OPENSOCKETFUNCTION, callbacks->open);
  SET(CURLOPT_OPENSOCKETDATA, callbacks->exchange);
  SET(CURLOPT_CLOSESOCKETFUNCTION, callbacks->close);
  SET(CURLOPT_CLOSESOCKETDATA, callbacks->engine);
  if (callbacks->tls) {
    SET(CURLOPT_SSL_CTX_FUNCTION, callbacks->tls);
    SET(CURLOPT_SSL_CTX_DATA, callbacks->exchange);
  }
  SET(CURLOPT_PREREQFUNCTION, callbacks->prerequest);
  SET(CURLOPT_PREREQDATA, callbacks->exchange);
  SET(CURLOPT_PRIVATE, callbacks->exchange);
#undef SET
  return code;
}

CURLcode transport_easy_set_bytes(CURL *easy, CURLoption option, const void *bytes, size_t count) {
  if (count > 0 && memchr(bytes, 0, count)) return CURLE_BAD_FUNCTION_ARGUMENT;
  char *text = malloc(count + 1);
  if (!text) return CURLE_OUT_OF_MEMORY;
  if (count > 0) memcpy(text, bytes, count);
  text[count] = 0;
  CURLcode code = curl_easy_setopt(easy, option, text);
  explicit_bzero(text, count);
  free(text);
  return code;
}

static int is_connected(void *context, curl_socket_t socket, curlsocktype purpose) {
  return CURL_SOCKOPT_ALREADY_CONNECTED;
}

CURLcode transport_easy_set_connected(CURL *easy) {
  return curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, is_connected);
}

static int64_t offset_of(CURL *easy, CURLINFO info) {
  curl_off_t value = 0;
  curl_easy_getinfo(easy, info, &value);
  return value;
}

static long long_of(CURL *easy, CURLINFO info) {
  long value = 0;
  curl_easy_getinfo(easy, info, &value);
  return value;
}

long transport_easy_connections_made(CURL *easy) { return long_of(easy, CURLINFO_NUM_CONNECTS); }

const char *transport_easy_trailer(CURL *easy, const char *name, size_t index) {
  struct curl_header *header = NULL;
  return curl_easy_header(easy, name, index, CURLH_TRAILER, -1, &header) == CURLHE_OK ? header->value : NULL;
}

bool transport_easy_has_written(CURL *easy) {
  return long_of(easy, CURLINFO_REQUEST_SIZE) > 0 || offset_of(easy, CURLINFO_SIZE_UPLOAD_T) > 0;
}

long transport_easy_local_port(CURL *easy) { return long_of(easy, CURLINFO_LOCAL_PORT); }

const char *transport_easy_remote_address(CURL *easy, long *port) {
  const char *address = NULL;
  *port = long_of(easy, CURLINFO_PRIMARY_PORT);
  return curl_easy_getinfo(easy, CURLINFO_PRIMARY_IP, &address) == CURLE_OK ? address : NULL;
}

void transport_easy_metrics(CURL *easy, struct transport_metrics *metrics) {
  metrics->connections_made = long_of(easy, CURLINFO_NUM_CONNECTS);
  metrics->http_version = long_of(easy, CURLINFO_HTTP_VERSION);
  metrics->first_byte = offset_of(easy, CURLINFO_STARTTRANSFER_TIME_T);
  metrics->total = offset_of(easy, CURLINFO_TOTAL_TIME_T);
  metrics->bytes_sent = long_of(easy, CURLINFO_REQUEST_SIZE) + offset_of(easy, CURLINFO_SIZE_UPLOAD_T);
  metrics->bytes_received = long_of(easy, CURLINFO_HEADER_SIZE) + offset_of(easy, CURLINFO_SIZE_DOWNLOAD_T);
  metrics->name_lookup = metrics->connect = metrics->tls = 0;
  // A reused connection had these phases in another exchange.
  if (metrics->connections_made == 0) return;
  metrics->name_lookup = offset_of(easy, CURLINFO_NAMELOOKUP_TIME_T);
  metrics->connect = offset_of(easy, CURLINFO_CONNECT_TIME_T);
  metrics->tls = offset_of(easy, CURLINFO_APPCONNECT_TIME_T);
}

static curl_socket_t open_nothing(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  return CURL_SOCKET_BAD;
}

CURL *transport_easy_make_fruitless(void) {
  CURL *easy = curl_easy_init();
  if (!easy) return NULL;
  CURLcode code = curl_easy_setopt(easy, CURLOPT_URL, "http://127.0.0.1:1/");
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_PROXY, "");
  // Another user's server may listen there, on a connection that is idle now.
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_nothing);
  if (code == CURLE_OK) return easy;
  curl_easy_cleanup(easy);
  return NULL;
}
