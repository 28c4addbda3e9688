#define _GNU_SOURCE
#include "url.h"

#include <locale.h>
#include <pthread.h>
#include <string.h>

static locale_t utf8_locale;

static void make_locale(void) {
  utf8_locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

#ifndef CURLU_GET_EMPTY
/// libcurl 8.8 leaves an empty query out unless it is asked for; earlier versions do not know the flag.
#define CURLU_GET_EMPTY (1 << 14)
#endif

/// Gets one part; that it is missing is no fault.
static CURLUcode part(CURLU *handle, CURLUPart name, char **value, unsigned flags, CURLUcode missing) {
  CURLUcode code = curl_url_get(handle, name, value, flags);
  return code == missing ? CURLUE_OK : code;
}

static CURLUcode take_apart(CURLU *handle, const char *text, struct transport_url *url) {
  CURLUcode code = curl_url_set(handle, CURLUPART_URL, text, CURLU_NON_SUPPORT_SCHEME);
  if (code == CURLUE_OK) code = part(handle, CURLUPART_HOST, &url->host, CURLU_PUNYCODE, CURLUE_OK);
  if (code == CURLUE_OK) code = part(handle, CURLUPART_PORT, &url->port, CURLU_DEFAULT_PORT, CURLUE_NO_PORT);
  if (code == CURLUE_OK) code = part(handle, CURLUPART_PATH, &url->path, 0, CURLUE_OK);
  if (code == CURLUE_OK) code = part(handle, CURLUPART_QUERY, &url->query, CURLU_GET_EMPTY, CURLUE_NO_QUERY);
  if (code == CURLUE_OK) code = part(handle, CURLUPART_USER, &url->user, 0, CURLUE_NO_USER);
  if (code == CURLUE_OK) code = part(handle, CURLUPART_ZONEID, &url->zone, 0, CURLUE_NO_ZONEID);
  return code;
}

CURLUcode transport_url_parse(const char *text, struct transport_url *url) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_locale);
  memset(url, 0, sizeof *url);
  CURLU *handle = curl_url();
  if (!handle) return CURLUE_OUT_OF_MEMORY;
  // libidn2 reads host names in the charset of the locale: ours is UTF-8, whatever the process started with.
  locale_t before = utf8_locale ? uselocale(utf8_locale) : (locale_t)0;
  CURLUcode code = take_apart(handle, text, url);
  if (before) uselocale(before);
  if (code != CURLUE_OK) transport_url_free(url);
  curl_url_cleanup(handle);
  return code;
}

void transport_url_free(struct transport_url *url) {
  curl_free(url->host);
  curl_free(url->port);
  curl_free(url->path);
  curl_free(url->query);
  curl_free(url->user);
  curl_free(url->zone);
  memset(url, 0, sizeof *url);
}

CURLU *transport_url_with_target(CURLU *origin, const char *path, const char *query) {
  CURLU *url = curl_url_dup(origin);
  if (!url) return NULL;
  CURLUcode code = curl_url_set(url, CURLUPART_PATH, path, 0);
  if (code == CURLUE_OK && query) code = curl_url_set(url, CURLUPART_QUERY, query, 0);
  if (code == CURLUE_OK) return url;
  curl_url_cleanup(url);
  return NULL;
}
