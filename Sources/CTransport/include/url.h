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

#endif
