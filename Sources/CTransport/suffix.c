#include "suffix.h"

#include <libpsl.h>
#include <pthread.h>
#include <stddef.h>

static psl_ctx_t *list;

/// The system's list or the library's own, whichever is newer; kept for the life of the process.
static void load(void) { list = psl_latest(NULL); }

bool transport_may_share_cookies(const char *domain, const char *host) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  // Without a list, nothing is shared.
  return list && psl_is_cookie_domain_acceptable(list, host, domain);
}
