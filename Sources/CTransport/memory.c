#define _GNU_SOURCE
#include "memory.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

enum {
  wiped_whole = 131072,
  /// The smallest buffer for sent data, which starts with a request.
  wiped_start = 65536,
  /// Larger blocks are buffers for received data: they contain no request, and every exchange has one.
  largest_wiped = 200000,
};

static void wipe_and_free(void *memory) {
  if (!memory) return;
  size_t size = malloc_usable_size(memory);
  if (size <= largest_wiped) explicit_bzero(memory, size > wiped_whole ? wiped_start : size);
  free(memory);
}

/// Never in place: `realloc` frees the old block without wiping it.
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
