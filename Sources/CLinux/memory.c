#include "CLinux.h"

#include <mimalloc.h>

// Only programs with much memory of their own are linked with mimalloc.
extern void mi_option_set(mi_option_t option, long value) __attribute__((weak));

void clinux_give_memory_back_early(void) {
#if MI_MALLOC_VERSION >= 210
  const mi_option_t delay = mi_option_purge_delay;
#else
  const mi_option_t delay = mi_option_decommit_delay;
#endif
  if (mi_option_set != 0) mi_option_set(delay, 1);
}
