#ifndef TRANSPORT_HEAD_H
#define TRANSPORT_HEAD_H

#include <stdbool.h>
#include <stddef.h>

/// Called with a whole head (status line to empty line) from inside libcurl; false ends the transfer.
typedef bool (*transport_head_function)(void *context, const char *bytes, size_t count);

/// Joins the header lines of one exchange, so that there is one call per head instead of one per line.
///
/// Trailers are counted and dropped.
struct transport_head {
  char *bytes;
  size_t count;
  size_t capacity;
  /// Bytes of all heads and trailers of the exchange; interim responses and trailers must not be endless.
  size_t total;
  size_t limit;
  bool is_collecting;
  /// The limit was reached.
  bool is_too_large;
  void *context;
  transport_head_function complete;
};

void transport_head_free(struct transport_head *head);

/// libcurl's `CURLOPT_HEADERFUNCTION`; `context` is a `transport_head`.
size_t transport_head_collect(char *line, size_t size, size_t count, void *context);

#endif
