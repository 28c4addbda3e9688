#ifndef TRANSPORT_URL_H
#define TRANSPORT_URL_H

#include <curl/curl.h>

/// The parts of an absolute URL; freed by `transport_url_free`. Missing parts are null.
struct transport_url {
  /// As it goes on the wire: IDNA-encoded; an IPv6 address in brackets.
  char *host;
  char *port;
  char *path;
  char *query;
  char *user;
  char *zone;
};

/// Takes `text` apart with libcurl's parser, so that it can never see another host than libcurl connects to.
CURLUcode transport_url_parse(const char *text, struct transport_url *url);

void transport_url_free(struct transport_url *url);

/// The URL of an origin with another path and query; null when memory is short. The caller frees it with
/// `curl_url_cleanup`.
///
/// Neither may hold an escape, which `curl_url_set` would spell in another way. `query` is null when there is none.
CURLU *transport_url_with_target(CURLU *origin, const char *path, const char *query);

#endif
