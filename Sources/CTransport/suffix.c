#include "suffix.h"

#include <libpsl.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

/// RFC 1035 §2.3.4.
enum { longest_name = 253 };

static psl_ctx_t *list;

/// The system's list or the library's own, whichever is newer; kept for the life of the process.
static void load(void) { list = psl_latest(NULL); }

/// The name without the final dot of the DNS root, which the list lacks. False when it is no name.
static bool take_name(const char *text, char name[static longest_name + 1]) {
  size_t length = strlen(text);
  if (length > 0 && text[length - 1] == '.') length--;
  if (length == 0 || length > longest_name) return false;
  memcpy(name, text, length);
  name[length] = 0;
  return true;
}

bool transport_may_share_cookies(const char *domain, const char *host) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  char domain_name[longest_name + 1], host_name[longest_name + 1];
  // Without a list, nothing is shared.
  return list && take_name(domain, domain_name) && take_name(host, host_name)
    && psl_is_cookie_domain_acceptable(list, host_name, domain_name);
}
