#include "key.h"

#include <string.h>

#include "objects.h"

/// The tokens that match a URI: their number, and the last of them.
struct search {
  P11KitUri *uri;
  struct token found;
  int count;
};

static bool visit(const struct token *token, void *context) {
  struct search *search = context;
  CK_SLOT_ID slot = p11_kit_uri_get_slot_id(search->uri);
  if (slot != (CK_SLOT_ID)-1 && slot != token->slot) return true;
  if (!p11_kit_uri_match_token_info(search->uri, &token->information)) return true;
  search->found = *token;
  search->count++;
  return search->count < 2;
}

/// With a protected path the PIN is typed into the reader.
static bool has_keypad(const struct key *key) {
  return key->token.information.flags & CKF_PROTECTED_AUTHENTICATION_PATH;
}

static CK_RV send_pin(const struct key *key, CK_USER_TYPE user, const uint8_t *pin, size_t pin_bytes) {
  if (has_keypad(key)) return key->token.module->C_Login(key->session, user, NULL, 0);
  return key->token.module->C_Login(key->session, user, (CK_UTF8CHAR *)pin, pin_bytes);
}

static enum token_fault log_in(const struct key *key, const uint8_t *pin, size_t pin_bytes) {
  CK_FLAGS flags = key->token.information.flags;
  if (!(flags & CKF_LOGIN_REQUIRED)) return 0;
  if (flags & CKF_USER_PIN_LOCKED) return TOKEN_PIN_LOCKED;
  if (!pin && !has_keypad(key)) return TOKEN_PIN_NEEDED;
  switch (send_pin(key, CKU_USER, pin, pin_bytes)) {
  case CKR_OK:
  case CKR_USER_ALREADY_LOGGED_IN: return 0;
  case CKR_PIN_INCORRECT:
  case CKR_PIN_INVALID:
  case CKR_PIN_LEN_RANGE: return TOKEN_PIN_WRONG;
  case CKR_PIN_LOCKED: return TOKEN_PIN_LOCKED;
  default: return TOKEN_UNAVAILABLE;
  }
}

/// The only private key with the URI's id and label.
static enum token_fault find(struct key *key, P11KitUri *uri) {
  CK_OBJECT_CLASS class = CKO_PRIVATE_KEY;
  CK_ATTRIBUTE wanted[3] = {{CKA_CLASS, &class, sizeof class}};
  CK_ULONG count = 1;
  // A URI may name the certificate of the key: its class is ignored, the shared attributes count.
  const CK_ATTRIBUTE_TYPE shared[] = {CKA_ID, CKA_LABEL};
  for (size_t index = 0; index < sizeof shared / sizeof *shared; index++) {
    CK_ATTRIBUTE *attribute = p11_kit_uri_get_attribute(uri, shared[index]);
    if (attribute) wanted[count++] = *attribute;
  }
  CK_OBJECT_HANDLE handles[2];
  CK_ULONG found = objects_find(key->token.module, key->session, wanted, count, handles, 2);
  if (found == 0) return TOKEN_KEY_MISSING;
  if (found > 1) return TOKEN_AMBIGUOUS;
  key->object = handles[0];
  return 0;
}

enum token_fault key_open(
  struct key *key, const struct modules *modules, const char *text, const uint8_t *pin, size_t pin_bytes) {
  struct search search = {.uri = p11_kit_uri_new()};
  enum token_fault fault = TOKEN_UNAVAILABLE;
  if (!search.uri) return fault;
  if (p11_kit_uri_parse(text, P11_KIT_URI_FOR_OBJECT_ON_TOKEN | P11_KIT_URI_FOR_SLOT, search.uri) != P11_KIT_URI_OK
      || p11_kit_uri_any_unrecognized(search.uri)) {
    fault = TOKEN_URI_MALFORMED;
  } else {
    modules_visit_tokens(modules, visit, &search);
    fault = search.count == 0 ? TOKEN_UNAVAILABLE : search.count > 1 ? TOKEN_AMBIGUOUS : 0;
  }
  key->token = search.found;
  if (!fault
      && key->token.module->C_OpenSession(key->token.slot, CKF_SERIAL_SESSION, NULL, NULL, &key->session) != CKR_OK) {
    fault = TOKEN_UNAVAILABLE;
  }
  if (!fault) fault = log_in(key, pin, pin_bytes);
  if (!fault) fault = find(key, search.uri);
  p11_kit_uri_free(search.uri);
  if (fault) return fault;
  CK_FUNCTION_LIST *module = key->token.module;
  key->identifier_bytes =
    objects_read(module, key->session, key->object, CKA_ID, key->identifier, sizeof key->identifier);
  if (objects_read(module, key->session, key->object, CKA_KEY_TYPE, &key->type, sizeof key->type)
      != sizeof key->type) {
    return TOKEN_UNAVAILABLE;
  }
  CK_BBOOL asks = CK_FALSE;
  objects_read(module, key->session, key->object, CKA_ALWAYS_AUTHENTICATE, &asks, sizeof asks);
  key->asks_always = asks;
  return 0;
}

/// The input of RSASSA-PKCS1-v1_5: the digest with its DER prefix (RFC 8017 §9.2, note 1).
static size_t write_digest_info(enum token_hash hash, const uint8_t *digest, uint8_t *bytes) {
  static const uint8_t prefixes[][19] = {
    {0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04, 0x20},
    {0x30, 0x41, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x02, 0x05, 0x00, 0x04, 0x30},
    {0x30, 0x51, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03, 0x05, 0x00, 0x04, 0x40},
  };
  size_t count = token_hash_bytes(hash);
  memcpy(bytes, prefixes[hash - TOKEN_SHA256], sizeof prefixes[0]);
  memcpy(bytes + sizeof prefixes[0], digest, count);
  return sizeof prefixes[0] + count;
}

/// TLS requires salts as long as the digest (RFC 8446 §4.2.3).
static CK_RSA_PKCS_PSS_PARAMS pss_parameters(enum token_hash hash) {
  CK_RSA_PKCS_PSS_PARAMS parameters = {.sLen = token_hash_bytes(hash)};
  switch (hash) {
  case TOKEN_SHA256:
    parameters.hashAlg = CKM_SHA256;
    parameters.mgf = CKG_MGF1_SHA256;
    break;
  case TOKEN_SHA384:
    parameters.hashAlg = CKM_SHA384;
    parameters.mgf = CKG_MGF1_SHA384;
    break;
  case TOKEN_SHA512:
    parameters.hashAlg = CKM_SHA512;
    parameters.mgf = CKG_MGF1_SHA512;
    break;
  }
  return parameters;
}

size_t key_sign(
  const struct key *key, enum token_scheme scheme, enum token_hash hash, const uint8_t *digest,
  const uint8_t *pin, size_t pin_bytes, uint8_t *signature, size_t room) {
  CK_FUNCTION_LIST *module = key->token.module;
  // Some modules crash with the wrong one.
  if (key->type != (scheme == TOKEN_ECDSA ? CKK_EC : CKK_RSA)) return 0;
  CK_RSA_PKCS_PSS_PARAMS pss = pss_parameters(hash);
  CK_MECHANISM mechanism = {.mechanism = CKM_ECDSA};
  uint8_t input[19 + 64];
  size_t input_bytes = token_hash_bytes(hash);
  memcpy(input, digest, input_bytes);
  switch (scheme) {
  case TOKEN_RSA_PKCS1:
    mechanism.mechanism = CKM_RSA_PKCS;
    input_bytes = write_digest_info(hash, digest, input);
    break;
  case TOKEN_RSA_PSS: mechanism = (CK_MECHANISM){CKM_RSA_PKCS_PSS, &pss, sizeof pss}; break;
  case TOKEN_ECDSA: break;
  }
  if (module->C_SignInit(key->session, &mechanism, key->object) != CKR_OK) return 0;
  if (key->asks_always && send_pin(key, CKU_CONTEXT_SPECIFIC, pin, pin_bytes) != CKR_OK) return 0;
  CK_ULONG count = room;
  CK_RV result = module->C_Sign(key->session, input, input_bytes, signature, &count);
  return result == CKR_OK && count <= room ? count : 0;
}
