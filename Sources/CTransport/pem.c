#define _GNU_SOURCE
#include "pem.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

static const char mark[] = "\xEF\xBB\xBF";
enum { mark_bytes = sizeof mark - 1 };

/// The text up to the next mark, or all of it.
static size_t bytes_before_mark(const char *text, size_t count) {
  const char *found = memmem(text, count, mark, mark_bytes);
  return found ? (size_t)(found - text) : count;
}

BIO *transport_pem_text(const void *text, size_t count) {
  if (count > INT_MAX) return NULL;
  const char *rest = text;
  size_t before = bytes_before_mark(rest, count);
  if (before == count) return BIO_new_mem_buf(text, (int)count);
  BIO *copy = BIO_new(BIO_s_secmem());
  for (bool is_written = copy; is_written;) {
    is_written = before == 0 || BIO_write(copy, rest, (int)before) == (int)before;
    if (is_written && before == count) return copy;
    rest += before + mark_bytes;
    count -= before + mark_bytes;
    before = bytes_before_mark(rest, count);
  }
  BIO_free(copy);
  return NULL;
}
