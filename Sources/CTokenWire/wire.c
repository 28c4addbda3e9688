#include "token_wire.h"

size_t token_hash_bytes(uint8_t hash) {
  switch (hash) {
  case TOKEN_SHA256: return 32;
  case TOKEN_SHA384: return 48;
  case TOKEN_SHA512: return 64;
  default: return 0;
  }
}
