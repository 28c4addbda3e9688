#include "stream.h"

#include <stdio.h>
#include <string.h>

/// Reads the texts of libcurl 7.88 and 8.14: `Using Stream ID: 1 …`, `[HTTP/2] [1] OPENED stream for …`,
/// `HTTP/2 stream 1 was not closed cleanly: HTTP_1_1_REQUIRED (err 13)`, `recveived GOAWAY, error=0, last_stream=0`.
static void read_text(const char *text, struct transport_stream *report) {
  unsigned number = 0;
  if (sscanf(text, "Using Stream ID: %u", &number) == 1 || sscanf(text, "[HTTP/2] [%u] OPENED", &number) == 1) {
    report->number = number;
    return;
  }
  const char *error = strstr(text, "was not closed cleanly: ");
  error = error ? strstr(error, "(err ") : NULL;
  if (error && sscanf(error, "(err %u)", &number) == 1) report->error = number;
  const char *last = strstr(text, "GOAWAY, error=");
  last = last ? strstr(last, "last_stream=") : NULL;
  if (last && sscanf(last, "last_stream=%u", &number) == 1 && report->connection)
    transport_connection_leave(report->connection, number);
}

/// The lines of a request's fields pass here, too: each text is wiped in libcurl's buffer.
static int hear(CURL *easy, curl_infotype kind, char *bytes, size_t count, void *context) {
  enum { longest = 128 };
  struct transport_stream *report = context;
  transport_sent_heads_hear(report->heads, kind, bytes, count);
  if (kind != CURLINFO_TEXT) return 0;
  char text[longest] = "";
  if (count < sizeof text) memcpy(text, bytes, count);
  explicit_bzero(bytes, count);
  read_text(text, report);
  explicit_bzero(text, sizeof text);
  return 0;
}

CURLcode transport_stream_report(CURL *easy, struct transport_stream *report) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, report->fault);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_DEBUGDATA, report);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, hear);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L) : code;
}

bool transport_stream_is_left_out(const struct transport_stream *report) {
  return report->connection && report->number > 0
    && transport_connection_leaves_out(report->connection, report->number);
}
