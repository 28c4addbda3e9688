#ifndef TRANSPORT_STREAM_H
#define TRANSPORT_STREAM_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#include "connection.h"
#include "sent_heads.h"

/// What libcurl says, in its texts only, of the stream of one transfer over HTTP/2.
struct transport_stream {
  /// The first fault of the transfer; empty without one.
  char fault[CURL_ERROR_SIZE];
  /// The number of the stream; 0 before there is one.
  uint32_t number;
  /// The error with which the server has reset it (RFC 9113 §7); 0 without one.
  uint32_t error;
  /// Where a GOAWAY is noted, which concerns all streams of the connection.
  struct transport_connection *_Nullable connection;
  /// A transfer has one `CURLOPT_DEBUGFUNCTION`: this one tells of its requests, too, if they are told of.
  const struct transport_sent_heads *_Nullable heads;
};

/// Fills in the report of the transfer from now on. Call it from `CURLOPT_PREREQFUNCTION`. The report and its
/// connection outlive the handle.
CURLcode transport_stream_report(CURL *_Nonnull easy, struct transport_stream *_Nonnull report);

/// Whether a GOAWAY says that the stream is not processed (RFC 9113 §6.8).
bool transport_stream_is_left_out(const struct transport_stream *_Nonnull report);

#endif
