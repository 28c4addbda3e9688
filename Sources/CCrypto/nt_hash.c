// OpenSSL 3 has MD4 here and in its legacy provider, which need not be installed and costs memory for each use.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "nt_hash.h"

#include <endian.h>
#include <openssl/md4.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistr.h>

static bool hash_units(const uint16_t *units, size_t count, unsigned char hash[MD4_DIGEST_LENGTH]) {
  MD4_CTX state;
  bool is_hashed = MD4_Init(&state) == 1 && MD4_Update(&state, units, count * sizeof *units) == 1 &&
                   MD4_Final(hash, &state) == 1;
  explicit_bzero(&state, sizeof state);
  return is_hashed;
}

bool watchword_nt_hash(const char *password, char text[watchword_nt_hash_text]) {
  _Static_assert(watchword_nt_hash_text == 2 * MD4_DIGEST_LENGTH + 1, "two digits for each byte, and NUL");
  static const char digits[] = "0123456789abcdef";
  // No octet of UTF-8 becomes more than one unit.
  size_t octets = strlen(password), capacity = octets + 1, count = capacity;
  uint16_t *units = malloc(capacity * sizeof *units);
  if (!units) return false;
  // It fits: the library allocates nothing.
  bool is_text = u8_to_u16((const uint8_t *)password, octets, units, &count) == units;
  unsigned char hash[MD4_DIGEST_LENGTH];
  for (size_t index = 0; is_text && index < count; index++) units[index] = htole16(units[index]);
  bool is_hashed = is_text && hash_units(units, count, hash);
  explicit_bzero(units, capacity * sizeof *units);
  free(units);
  if (!is_hashed) return false;
  for (size_t index = 0; index < sizeof hash; index++) {
    text[2 * index] = digits[hash[index] >> 4];
    text[2 * index + 1] = digits[hash[index] & 15];
  }
  text[2 * sizeof hash] = 0;
  explicit_bzero(hash, sizeof hash);
  return true;
}
