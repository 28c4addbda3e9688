#ifndef TRANSPORT_MULTI_H
#define TRANSPORT_MULTI_H

#include <curl/curl.h>
#include <stdbool.h>

typedef int (*transport_socket_function)(
  CURL *easy, curl_socket_t socket, int what, void *context, void *socket_context);
typedef int (*transport_timer_function)(CURLM *multi, long milliseconds, void *context);

static inline CURLMcode transport_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

CURLMcode transport_multi_set_callbacks(
  CURLM *multi, transport_socket_function socket, transport_timer_function timer, void *context);

/// The next finished transfer: its `CURLOPT_PRIVATE` and result. False when there is none.
bool transport_multi_next_finished(CURLM *multi, CURL **easy, void **exchange, CURLcode *result);

#endif
