#define _GNU_SOURCE
#include "memory.h"

#include <malloc.h>
#include <openssl/crypto.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "identity_parts.h"

enum {
  wiped_whole = 131072,
  /// The smallest buffer for sent data, which starts with a request.
  wiped_start = 65536,
  /// Larger blocks are buffers for received data: they contain no request, and every exchange has one.
  largest_wiped = 200000,
};

/// What was freed is kept for the next exchanges, on the loop's thread.
static _Thread_local bool keeps_blocks;

/// Handles that were freed, and so are wiped: the next ones need not be. Every exchange makes one.
enum { most_kept_handles = 64 };
static _Thread_local void *kept_handles[most_kept_handles];
static _Thread_local size_t kept_handle_count;
/// Bytes of a handle, and of the block that it is in; 0 until the first one was made.
static size_t handle_bytes, handle_block_bytes;

/// Buffers whose pages are in memory already. An origin has six connections, unless a session asks for more. What they
/// take beside what is counted is bounded: 3.5 MiB together.
enum { most_kept_buffers = 8 };
typedef struct {
  /// Bytes of each block; 0 until the first one was made.
  size_t block_bytes;
  size_t count;
  void *blocks[most_kept_buffers];
} kept_buffers;
/// For requests alone, for their bodies, and for responses.
static _Thread_local kept_buffers heads, bodies, responses;

static kept_buffers *buffers_of(size_t size) {
  return size > largest_wiped ? &responses : size < wiped_whole ? &heads : &bodies;
}

/// Not part of `wipe_and_free`, whose calls are for nothing at all most of the time.
__attribute__((noinline)) static void wipe_block(void *memory) {
  size_t size = malloc_usable_size(memory);
  if (size <= largest_wiped) explicit_bzero(memory, size > wiped_whole ? wiped_start : size);
  if (size == handle_block_bytes && keeps_blocks && kept_handle_count < most_kept_handles) {
    kept_handles[kept_handle_count++] = memory;
    return;
  }
  kept_buffers *kept = buffers_of(size);
  if (size == kept->block_bytes && kept->count < most_kept_buffers) {
    kept->blocks[kept->count++] = memory;
    return;
  }
  free(memory);
}

static void wipe_and_free(void *memory) {
  if (memory) wipe_block(memory);
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

/// Gives back the pages that lie in the block as a whole, which are zero then. When it fails, the memory is as good as
/// before.
///
/// - Parameter is_zeroed: whether the rest of the block is set to zero.
static void empty(char *memory, size_t size, bool is_zeroed) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const size_t skipped = (page - (uintptr_t)memory % page) % page;
  const size_t given = skipped < size ? (size - skipped) / page * page : 0;
  const bool is_given = given > 0 && madvise(memory + skipped, given, MADV_DONTNEED) == 0;
  if (!is_zeroed) return;
  if (!is_given) {
    memset(memory, 0, size);
    return;
  }
  memset(memory, 0, skipped);
  memset(memory + skipped + given, 0, size - skipped - given);
}

/// The buffers of an exchange are counted as far as they have been filled, so that the rest may not be in memory either:
/// it would be, if the block was freed by something else shortly before.
static void *buffer(size_t size, bool is_zeroed) {
  kept_buffers *kept = buffers_of(size);
  if (kept->count > 0 && size <= kept->block_bytes) {
    void *block = kept->blocks[--kept->count];
    if (is_zeroed) memset(block, 0, size);
    return block;
  }
  void *memory = malloc(size);
  if (!memory) return NULL;
  const size_t block_bytes = malloc_usable_size(memory);
  if (keeps_blocks && !kept->block_bytes) kept->block_bytes = block_bytes;
  empty(memory, block_bytes, is_zeroed);
  return memory;
}

static void *allocate(size_t size) { return size < wiped_start ? malloc(size) : buffer(size, false); }

static void *zeroed(size_t count, size_t size) {
  if (count == 1 && size == handle_bytes && kept_handle_count > 0) return kept_handles[--kept_handle_count];
  // Since libcurl 8 its buffers begin with zeros: `calloc` would set them, and have all of their pages in memory.
  if (count == 1 && size >= wiped_start) return buffer(size, true);
  void *memory = calloc(count, size);
  // The handle itself is the largest block that is made for one.
  if (memory && count == 1 && keeps_blocks && !handle_block_bytes && size > handle_bytes) handle_bytes = size;
  return memory;
}

/// Finds out how large a handle is. AddressSanitizer is to see each one freed.
static void measure_handle(void) {
  keeps_blocks = !__has_feature(address_sanitizer);
  curl_easy_cleanup(curl_easy_init());
  void *block = handle_bytes ? calloc(1, handle_bytes) : NULL;
  if (block) handle_block_bytes = malloc_usable_size(block);
  free(block);
}

CURLcode transport_global_init(void) {
  CURLcode code = curl_global_init_mem(CURL_GLOBAL_DEFAULT, allocate, wipe_and_free, move, strdup, zeroed);
  if (code == CURLE_OK) measure_handle();
  return code;
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
