#include "arena.h"

#include <jansson.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct watchword_json_block {
  watchword_json_block *older;
  size_t size;
  _Alignas(max_align_t) char bytes[];
};

/// Of this thread; null while it reads no text.
static _Thread_local watchword_json_arena *active;

/// Each block is as large as all before it together, so that their number stays small.
static bool add_block(watchword_json_arena *arena, size_t needed) {
  if (needed > arena->allowed) return false;
  size_t bytes = needed > arena->taken ? needed : arena->taken;
  if (bytes > arena->allowed) bytes = arena->allowed;
  watchword_json_block *block = malloc(sizeof *block + bytes);
  if (!block) return false;
  *block = (watchword_json_block){.older = arena->blocks, .size = bytes};
  arena->blocks = block;
  arena->allowed -= bytes;
  arena->taken += bytes;
  arena->next = block->bytes;
  arena->left = bytes;
  return true;
}

/// Jansson's allocator is one for the process: outside of a reading, for another library that uses Jansson, it is malloc.
static void *allocate(size_t size) {
  watchword_json_arena *arena = active;
  if (!arena) return malloc(size);
  if (size > SIZE_MAX / 2) return NULL;
  const size_t unit = _Alignof(max_align_t);
  const size_t rounded = (size + unit - 1) / unit * unit;
  if (rounded > arena->left && !add_block(arena, rounded)) return NULL;
  void *memory = arena->next;
  arena->next += rounded;
  arena->left -= rounded;
  return memory;
}

static void release(void *memory) {
  if (!active) free(memory);
}

static void prepare(void) {
  json_set_alloc_funcs(allocate, release);
  // From /dev/urandom, so that a peer cannot choose names that collide.
  json_object_seed(0);
}

void watchword_json_enter_arena(watchword_json_arena *arena, size_t allowed) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, prepare);
  arena->next = arena->first;
  arena->left = sizeof arena->first;
  arena->blocks = NULL;
  arena->allowed = allowed;
  arena->taken = sizeof arena->first;
  active = arena;
}

void watchword_json_leave_arena(watchword_json_arena *arena) {
  active = NULL;
  // Of the newest block only the beginning was used, of all others everything.
  explicit_bzero(arena->first, sizeof arena->first - (arena->blocks ? 0 : arena->left));
  size_t unused = arena->left;
  while (arena->blocks) {
    watchword_json_block *block = arena->blocks;
    arena->blocks = block->older;
    explicit_bzero(block->bytes, block->size - unused);
    free(block);
    unused = 0;
  }
}
