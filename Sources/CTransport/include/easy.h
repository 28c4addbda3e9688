#ifndef TRANSPORT_EASY_H
#define TRANSPORT_EASY_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "head.h"

/// `CURLE_TOO_LARGE`: what libcurl calls a text beyond one of its bounds since 8.6, and `CURLE_OUT_OF_MEMORY` before.
static const CURLcode transport_too_large = (CURLcode)100;

// libcurl's variadic setters and getters, one function for each type of option.
//
// Swift cannot call variadic C functions, and a wrong type in one of them is silent memory corruption.

static inline CURLcode transport_easy_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode transport_easy_set_offset(CURL *easy, CURLoption option, int64_t value) {
  return curl_easy_setopt(easy, option, (curl_off_t)value);
}

/// libcurl copies the text, except for `CURLOPT_POSTFIELDS`.
static inline CURLcode transport_easy_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

/// For lists, shares, user data and `CURLOPT_POSTFIELDS`, which libcurl keeps by address.
static inline CURLcode transport_easy_set_pointer(CURL *easy, CURLoption option, const void *value) {
  return curl_easy_setopt(easy, option, value);
}

/// For text that is not terminated; libcurl copies it, and both copies are wiped. Fails for text that holds a NUL.
CURLcode transport_easy_set_bytes(CURL *easy, CURLoption option, const void *bytes, size_t count);

/// The sockets that the handle's open function returns are connected.
CURLcode transport_easy_set_connected(CURL *easy);

/// The `CURLPX_*` of a transfer that ended with `CURLE_PROXY`.
static inline CURLcode transport_easy_get_proxy_error(CURL *easy, long *value) {
  return curl_easy_getinfo(easy, CURLINFO_PROXY_ERROR, value);
}

/// A transfer that ends, without any traffic, as soon as a multi handle runs it; null when out of memory.
CURL *transport_easy_make_fruitless(void);

typedef size_t (*transport_write_function)(char *bytes, size_t size, size_t count, void *context);
typedef int (*transport_seek_function)(void *context, curl_off_t offset, int origin);
typedef curl_socket_t (*transport_open_function)(
  void *context, curlsocktype purpose, struct curl_sockaddr *address);
typedef int (*transport_close_function)(void *context, curl_socket_t socket);
typedef CURLcode (*transport_tls_function)(CURL *easy, void *ssl_context, void *context);
typedef int (*transport_prerequest_function)(
  void *context, char *remote, char *local, int remote_port, int local_port);

/// All callbacks of libcurl for one easy handle. The callbacks of the running exchange get `exchange`; the one for
/// closing gets `engine`, because it may run after the handle is freed.
struct transport_callbacks {
  void *exchange;
  void *engine;
  struct transport_head *head;
  transport_write_function write;
  transport_write_function read;
  transport_seek_function seek;
  transport_open_function open;
  transport_close_function close;
  transport_tls_function tls;
  transport_prerequest_function prerequest;
};

CURLcode transport_easy_set_callbacks(CURL *easy, const struct transport_callbacks *callbacks);

/// The cost of an exchange, in microseconds and bytes.
struct transport_metrics {
  int64_t name_lookup;
  int64_t connect;
  int64_t tls;
  int64_t first_byte;
  int64_t total;
  int64_t bytes_sent;
  int64_t bytes_received;
  long connections_made;
  /// One of `CURL_HTTP_VERSION_*`.
  long http_version;
};

/// How many connections were opened for the transfer so far.
long transport_easy_connections_made(CURL *easy);

/// The value of the trailer field `name`, the one with this index; null if there is none. It is libcurl's, until the
/// next call for this handle.
const char *transport_easy_trailer(CURL *easy, const char *name, size_t index);

/// Whether any part of a request was written to a connection, as far as libcurl knows.
bool transport_easy_has_written(CURL *easy);

/// The local port of the transfer's connection; 0 before it has one.
long transport_easy_local_port(CURL *easy);

/// The address at the other end of the transfer's connection, without its port, which is libcurl's; null or empty before
/// it has one.
const char *transport_easy_remote_address(CURL *easy, long *port);

void transport_easy_metrics(CURL *easy, struct transport_metrics *metrics);

/// The `errno` of the last failed connect, send or receive.
static inline CURLcode transport_easy_os_error(CURL *easy, long *value) {
  return curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, value);
}

#endif
