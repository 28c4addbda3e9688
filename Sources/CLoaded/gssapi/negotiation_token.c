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

/// Goes to the value of the field with this identifier octet in a SEQUENCE; false when there is none.
static bool find_field(
  const unsigned char *at, const unsigned char *end, unsigned char identifier, const unsigned char **value,
  const unsigned char **value_end) {
  if (at == end || *at != sequence || !enter(&at, end, &end)) return false;
  while (at < end) {
    unsigned char found = *at;
    const unsigned char *next = end;
    if (!enter(&at, end, &next)) return false;
    if (found == identifier) {
      *value = at;
      *value_end = next;
      return true;
    }
    at = next;
  }
  return false;
}

/// The number in an INTEGER or ENUMERATED of at most three octets; false when it is none.
static bool read_number(
  const unsigned char *at, const unsigned char *end, unsigned char identifier, uint32_t *number) {
  if (at == end || *at != identifier || !enter(&at, end, &end) || end - at < 1 || end - at > 3) return false;
  for (*number = 0; at < end; at++) *number = *number << 8 | *at;
  return true;
}

/// Whether it is a KRB-ERROR, in the frame of RFC 2743 §3.1 with the token identifier 03 00 of RFC 4121 §4.1.
static bool is_kerberos_error(const unsigned char *at, const unsigned char *end, uint32_t *code) {
  enum { frame = 0x60, object_identifier = 0x06, kerberos_error = 0x7e, error_code = 0xa6, integer = 0x02 };
  const unsigned char *value = NULL, *value_end = NULL;
  if (at != end && *at == frame) {
    if (!enter(&at, end, &end) || at == end || *at != object_identifier || !enter(&at, end, &value)) return false;
    at = value;
    if (end - at < 2 || at[0] != 3 || at[1] != 0) return false;
    at += 2;
  }
  if (at == end || *at != kerberos_error || !enter(&at, end, &end)) return false;
  return find_field(at, end, error_code, &value, &value_end) && read_number(value, value_end, integer, code);
}

bool security_token_is_refusal(struct security_bytes token, uint32_t *code) {
  enum { state = 0xa0, response_token = 0xa2, enumerated = 0x0a, octet_string = 0x04, reject = 2 };
  *code = 0;
  const unsigned char *at = token.bytes, *end = at + token.count, *value = NULL, *value_end = NULL;
  if (token.count == 0) return false;
  if (is_kerberos_error(at, end, code)) return true;
  if (*at != response || !enter(&at, end, &end)) return false;
  uint32_t number = 0;
  bool is_rejected =
    find_field(at, end, state, &value, &value_end) && read_number(value, value_end, enumerated, &number) &&
    number == reject;
  if (find_field(at, end, response_token, &value, &value_end) && value != value_end && *value == octet_string &&
      enter(&value, value_end, &value_end) && is_kerberos_error(value, value_end, code)) {
    return true;
  }
  return is_rejected;
}
