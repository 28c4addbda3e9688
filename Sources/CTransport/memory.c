#define _GNU_SOURCE
#include "memory.h"

#include <malloc.h>
#include <openssl/crypto.h>
#include <stdlib.h>
#include <string.h>

#include "identity_parts.h"

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

_Thread_local bool transport_works_on_keys;

static void *key_allocate(size_t size, const char *file, int line) { return size ? malloc(size) : NULL; }

static void key_free(void *memory, const char *file, int line) {
  if (memory && transport_works_on_keys) explicit_bzero(memory, malloc_usable_size(memory));
  free(memory);
}

static void *key_resize(void *memory, size_t size, const char *file, int line) {
  if (!memory) return key_allocate(size, file, line);
  if (!size) {
    key_free(memory, file, line);
    return NULL;
  }
  if (!transport_works_on_keys) return realloc(memory, size);
  size_t before = malloc_usable_size(memory);
  if (size <= before) return memory;
  void *target = malloc(size);
  if (!target) return NULL;
  memcpy(target, memory, before);
  key_free(memory, file, line);
  return target;
}

/// Before `main`: OpenSSL takes other functions only before its first allocation.
__attribute__((constructor)) static void wipe_keys(void) {
  CRYPTO_set_mem_functions(key_allocate, key_resize, key_free);
}
