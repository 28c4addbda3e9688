#include "negotiation_token.h"

#include <stdlib.h>
#include <string.h>

/// DER's identifier octets.
enum {
  sequence = 0x30,
  response = 0xa1,
  mechanism_list_mic = 0xa3,
  /// Field 4, which RFC 4178 does not have.
  misplaced_mic = 0xa4,
};

/// Goes from an identifier octet to the value behind it, and says where that ends; false when it ends beyond `end`.
static bool enter(const unsigned char **place, const unsigned char *end, const unsigned char **value_end) {
  const unsigned char *at = *place;
  if (end - at < 2) return false;
  size_t length = at[1];
  at += 2;
  if (length >= 0x80) {
    size_t count = length & 0x7f;
    if (count == 0 || count > 3 || (size_t)(end - at) < count) return false;
    for (length = 0; count > 0; count--) length = length << 8 | *at++;
  }
  if (length > (size_t)(end - at)) return false;
  *place = at;
  *value_end = at + length;
  return true;
}

static const unsigned char *find_mic(struct security_bytes token) {
  const unsigned char *at = token.bytes, *end = at + token.count;
  if (token.count == 0 || *at != response || !enter(&at, end, &end)) return NULL;
  if (at == end || *at != sequence || !enter(&at, end, &end)) return NULL;
  while (at < end) {
    const unsigned char *field = at, *next = end;
    if (!enter(&at, end, &next)) return NULL;
    if (*field == mechanism_list_mic) return field;
    at = next;
  }
  return NULL;
}

unsigned char *security_token_with_misplaced_mic(struct security_bytes token) {
  const unsigned char *mic = find_mic(token);
  unsigned char *copy = mic ? malloc(token.count) : NULL;
  if (!copy) return NULL;
  const unsigned char *bytes = token.bytes;
  memcpy(copy, bytes, token.count);
  copy[mic - bytes] = misplaced_mic;
  return copy;
}
