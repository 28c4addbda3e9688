#include "sent_heads.h"

#include <string.h>

void transport_sent_heads_hear(
  const struct transport_sent_heads *heads, curl_infotype kind, const char *bytes, size_t count) {
  if (kind == CURLINFO_HEADER_OUT && heads && heads->take) heads->take(heads->context, bytes, count);
}

/// libcurl's texts may repeat a field: each is wiped in its buffer.
static int hear(CURL *easy, curl_infotype kind, char *bytes, size_t count, void *context) {
  transport_sent_heads_hear(context, kind, bytes, count);
  if (kind == CURLINFO_TEXT) explicit_bzero(bytes, count);
  return 0;
}

CURLcode transport_sent_heads_report(CURL *easy, const struct transport_sent_heads *heads) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_DEBUGDATA, heads);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, hear);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L) : code;
}
