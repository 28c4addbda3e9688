#include "CLinux.h"

#include <mimalloc.h>

// Only programs with much memory of their own are linked with mimalloc.
extern void mi_option_set(mi_option_t option, long value) __attribute__((weak));

void clinux_give_memory_back_early(void) {
  if (mi_option_set == 0) return;
#if MI_MALLOC_VERSION >= 300
  // Its delay ends only when something is freed later than that: after a burst nothing is given back.
  mi_option_set(mi_option_purge_delay, 0);
#elif MI_MALLOC_VERSION >= 210
  mi_option_set(mi_option_purge_delay, 1);
#else
  mi_option_set(mi_option_decommit_delay, 1);
#endif
}
