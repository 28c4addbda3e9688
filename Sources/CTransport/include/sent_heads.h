#ifndef TRANSPORT_SENT_HEADS_H
#define TRANSPORT_SENT_HEADS_H

#include <curl/curl.h>
#include <stddef.h>

/// Who is told of the heads of a transfer's requests. The bytes are lent, and have the secrets of the request.
struct transport_sent_heads {
  void *_Nullable context;
  void (*_Nullable take)(void *_Nullable context, const char *_Nonnull bytes, size_t count);
};

/// Tells of each head that libcurl writes from now on, also to a proxy. `heads` outlives the handle.
CURLcode transport_sent_heads_report(CURL *_Nonnull easy, const struct transport_sent_heads *_Nonnull heads);

/// Takes what libcurl has given to the `CURLOPT_DEBUGFUNCTION` of a transfer.
void transport_sent_heads_hear(
  const struct transport_sent_heads *_Nullable heads, curl_infotype kind, const char *_Nonnull bytes, size_t count);

#endif
