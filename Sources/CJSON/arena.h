#ifndef ARENA_H
#define ARENA_H

#include <stdbool.h>
#include <stddef.h>

/// The memory that Jansson gets while one text is read: it is bounded, only grows, and is wiped and freed whole.
///
/// What Jansson frees stays until the end, so that no secret of a text is in memory that others get.
typedef struct watchword_json_arena watchword_json_arena;

/// A block beyond the first one.
typedef struct watchword_json_block watchword_json_block;

struct watchword_json_arena {
  /// The free bytes of the newest block.
  char *next;
  size_t left;
  /// The newest first; null while the first block is enough.
  watchword_json_block *blocks;
  /// Bytes that all blocks may still have.
  size_t allowed;
  /// Bytes of all blocks.
  size_t taken;
  /// Enough for a request.
  _Alignas(max_align_t) char first[16 * 1024];
};

/// Makes Jansson allocate from the arena in this thread, until watchword_json_leave_arena.
///
/// `allowed`: bytes beyond the first block; an allocation that needs more fails.
void watchword_json_enter_arena(watchword_json_arena *arena, size_t allowed);

/// Wipes all of it. Values that Jansson made from it are gone.
void watchword_json_leave_arena(watchword_json_arena *arena);

#endif
