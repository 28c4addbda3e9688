#include "revocation.h"

#include <pthread.h>

#include "complexity.h"

/// OpenSSL's own, which is not public.
static X509_STORE_CTX_check_revocation_fn check_all;

static void find_check(void) {
  X509_STORE_CTX *plain = X509_STORE_CTX_new();
  if (plain && X509_STORE_CTX_init(plain, NULL, NULL, NULL)) {
    check_all = X509_STORE_CTX_get_check_revocation(plain);
  }
  X509_STORE_CTX_free(plain);
}

/// What costs too much is reported next, with the signatures.
static int check(X509_STORE_CTX *chain) {
  return transport_costly_key(X509_STORE_CTX_get0_chain(chain)) >= 0 ? 1 : check_all(chain);
}

bool transport_check_revocation_bounded(X509_STORE *store) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_check);
  if (!check_all) return false;
  X509_STORE_set_check_revocation(store, check);
  return true;
}
