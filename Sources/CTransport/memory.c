#define _GNU_SOURCE
#include "memory.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

enum {
  /// Larger pieces are buffers for what is received; a request is at the start of one for what is sent.
  wiped_whole = 131072,
  wiped_start = 65536,
};

static void wipe_and_free(void *memory) {
  if (!memory) return;
  size_t size = malloc_usable_size(memory);
  explicit_bzero(memory, size > wiped_whole ? wiped_start : size);
  free(memory);
}

/// Never in place: `realloc` frees what it has moved from as it is.
static void *move(void *memory, size_t size) {
  void *target = malloc(size ? size : 1);
  if (!target || !memory) return target;
  size_t before = malloc_usable_size(memory);
  memcpy(target, memory, before < size ? before : size);
  wipe_and_free(memory);
  return target;
}

CURLcode transport_global_init(void) {
  return curl_global_init_mem(CURL_GLOBAL_DEFAULT, malloc, wipe_and_free, move, strdup, calloc);
}
