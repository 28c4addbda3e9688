#ifndef CRYPTO_DIGEST_H
#define CRYPTO_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The hashes of HTTP Digest (RFC 7616 §6.1) and of digest fields (RFC 9530 §5), through OpenSSL's EVP.
typedef enum {
  WATCHWORD_HASH_MD5 = 0,
  WATCHWORD_HASH_SHA256 = 1,
  WATCHWORD_HASH_SHA512_256 = 2,
  WATCHWORD_HASH_SHA512 = 3,
} watchword_hash_algorithm;

/// Bytes of the longest of these hashes: the size of an output buffer.
#define WATCHWORD_HASH_MAXIMUM_BYTES 64

typedef struct watchword_hash watchword_hash;

/// Whether OpenSSL's providers have the algorithm; MD5 is missing if only the FIPS provider is loaded.
bool watchword_hash_is_available(watchword_hash_algorithm algorithm);

/// Begins a hash; NULL when the algorithm is not available. Ends with watchword_hash_free.
watchword_hash *_Nullable watchword_hash_create(watchword_hash_algorithm algorithm);
void watchword_hash_update(watchword_hash *_Nonnull hash, const void *_Nullable bytes, size_t count);
/// Writes the result and returns its length in bytes; the hash can then only be freed or restarted.
size_t watchword_hash_finish(watchword_hash *_Nonnull hash, uint8_t *_Nonnull output);
/// Begins another hash with the same algorithm and memory.
void watchword_hash_restart(watchword_hash *_Nonnull hash);
/// Wipes and releases the state: it has seen passwords.
void watchword_hash_free(watchword_hash *_Nullable hash);

#endif
