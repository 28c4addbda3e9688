#include "digest.h"

#include <openssl/evp.h>
#include <pthread.h>
#include <stdlib.h>

#define ALGORITHM_COUNT 4

// Fetched once: a fetch walks OpenSSL's providers under a lock and costs more than the hash of a request.
static EVP_MD *fetched[ALGORITHM_COUNT];
static pthread_once_t fetch_once = PTHREAD_ONCE_INIT;

static void fetch_all(void) {
  fetched[WATCHWORD_HASH_MD5] = EVP_MD_fetch(NULL, "MD5", NULL);
  fetched[WATCHWORD_HASH_SHA256] = EVP_MD_fetch(NULL, "SHA256", NULL);
  fetched[WATCHWORD_HASH_SHA512_256] = EVP_MD_fetch(NULL, "SHA512-256", NULL);
  fetched[WATCHWORD_HASH_SHA512] = EVP_MD_fetch(NULL, "SHA512", NULL);
}

static const EVP_MD *algorithm_named(watchword_hash_algorithm algorithm) {
  pthread_once(&fetch_once, fetch_all);
  return (unsigned)algorithm < ALGORITHM_COUNT ? fetched[algorithm] : NULL;
}

struct watchword_hash {
  EVP_MD_CTX *context;
  const EVP_MD *algorithm;
};

// An EVP call on a fetched algorithm fails only when out of memory. Continuing would give a hash of a part of the
// input, so the process ends, as it does when Swift cannot allocate.
static void require(int succeeded) {
  if (succeeded != 1) abort();
}

bool watchword_hash_is_available(watchword_hash_algorithm algorithm) {
  return algorithm_named(algorithm) != NULL;
}

watchword_hash *watchword_hash_create(watchword_hash_algorithm algorithm) {
  const EVP_MD *found = algorithm_named(algorithm);
  if (found == NULL) return NULL;
  watchword_hash *hash = malloc(sizeof *hash);
  require(hash != NULL);
  hash->algorithm = found;
  hash->context = EVP_MD_CTX_new();
  require(hash->context != NULL);
  require(EVP_DigestInit_ex2(hash->context, found, NULL));
  return hash;
}

void watchword_hash_update(watchword_hash *hash, const void *bytes, size_t count) {
  if (count > 0) require(EVP_DigestUpdate(hash->context, bytes, count));
}

size_t watchword_hash_finish(watchword_hash *hash, uint8_t *output) {
  unsigned count = 0;
  require(EVP_DigestFinal_ex(hash->context, output, &count));
  return count;
}

void watchword_hash_restart(watchword_hash *hash) {
  require(EVP_DigestInit_ex2(hash->context, hash->algorithm, NULL));
}

void watchword_hash_free(watchword_hash *hash) {
  if (hash == NULL) return;
  // Providers clear their state when they free it.
  EVP_MD_CTX_free(hash->context);
  free(hash);
}
