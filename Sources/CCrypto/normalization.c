#define _DEFAULT_SOURCE
#include "normalization.h"

#include <stdlib.h>
#include <string.h>
#include <uninorm.h>
#include <unistr.h>

size_t watchword_normalize(const uint8_t *text, size_t count, uint8_t *output, size_t capacity) {
  // The library would write replacement characters.
  if (u8_check(text, count) != NULL) return 0;
  size_t length = capacity;
  uint8_t *made = u8_normalize(UNINORM_NFC, text, count, output, &length);
  if (made == output) return length;
  if (made != NULL) {
    // The text is a password: wipes the memory that the library allocated.
    explicit_bzero(made, length);
    free(made);
  }
  return 0;
}

size_t watchword_make_compatible(uint32_t point, uint32_t output[WATCHWORD_COMPATIBLE_CAPACITY]) {
  size_t length = WATCHWORD_COMPATIBLE_CAPACITY;
  uint32_t *made = u32_normalize(UNINORM_NFKC, &point, 1, output, &length);
  if (made == output) return length;
  free(made);
  return 0;
}
