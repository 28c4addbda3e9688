#include "head.h"

#include <stdlib.h>
#include <string.h>

enum {
  /// Most heads are shorter.
  first_capacity = 2048,
};

void transport_head_free(struct transport_head *head) {
  free(head->bytes);
  head->bytes = NULL;
  head->capacity = 0;
}

static bool append(struct transport_head *head, const char *line, size_t length) {
  if (head->count + length > head->capacity) {
    size_t capacity = head->capacity ? head->capacity : first_capacity;
    while (capacity < head->count + length) capacity *= 2;
    char *bytes = realloc(head->bytes, capacity);
    if (!bytes) return false;
    head->bytes = bytes;
    head->capacity = capacity;
  }
  memcpy(head->bytes + head->count, line, length);
  head->count += length;
  return true;
}

size_t transport_head_collect(char *line, size_t size, size_t count, void *context) {
  struct transport_head *head = context;
  size_t length = size * count;
  head->total += length;
  if (head->total > head->limit) {
    head->is_too_large = true;
    return 0;
  }
  if (!head->is_collecting) {
    // After the end of a head come trailers, or the next head.
    if (length < 5 || memcmp(line, "HTTP/", 5) != 0) return length;
    head->is_collecting = true;
    head->count = 0;
  }
  if (!append(head, line, length)) return 0;
  // libcurl takes a line that begins with CR for the last one, whatever follows; the parser refuses it unless it is
  // empty.
  if (line[0] != '\n' && line[0] != '\r') return length;
  head->is_collecting = false;
  return head->complete(head->context, head->bytes, head->count) ? length : 0;
}
