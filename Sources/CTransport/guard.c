#include "guard.h"

#include <time.h>

enum {
  /// Records between two readings of the clock; fewer are no flood. A read of libcurl contains at most 16.
  records_per_look = 64,
};

/// Processor time for records without progress: a hundred bodies that arrive for other streams take a fifth of it.
static const double longest_seconds = 0.1;

static double processor_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

bool transport_guard_admits(struct transport_guard *guard) {
  if (++guard->records % records_per_look != 0) return true;
  double now = processor_seconds();
  if (guard->records == records_per_look) guard->began = now;
  return now - guard->began <= longest_seconds;
}
