// Keys that sign in another process, as a provider of OpenSSL (provider(7), provider-keymgmt(7),
// provider-signature(7)).
//
// The provider has a library context of its own: it receives only keys that it made.

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/provider.h>
#include <openssl/rsa.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "token_parts.h"

/// The parts of a key, which it takes over, as its only import parameter.
static const char parts_name[] = "watchword-token";

struct token_key {
  EVP_PKEY *public_key;
  struct transport_token *token;
};

// MARK: Key management

static void *key_new(void *provider) { return calloc(1, sizeof(struct token_key)); }

static void key_free(void *data) {
  struct token_key *key = data;
  if (!key) return;
  EVP_PKEY_free(key->public_key);
  transport_token_close(key->token);
  free(key);
}

static int key_import(void *data, int selection, const OSSL_PARAM parameters[]) {
  struct token_key *key = data;
  const OSSL_PARAM *parts = OSSL_PARAM_locate_const(parameters, parts_name);
  const void *given;
  size_t count;
  if (!parts || !OSSL_PARAM_get_octet_ptr(parts, &given, &count) || count != sizeof *key) return 0;
  struct token_key *taken = (struct token_key *)given;
  *key = *taken;
  *taken = (struct token_key){.token = NULL};
  return 1;
}

static const OSSL_PARAM *key_import_types(int selection) {
  static const OSSL_PARAM types[] = {OSSL_PARAM_octet_ptr(parts_name, NULL, 0), OSSL_PARAM_END};
  return types;
}

/// The private half is not here, so that no other provider can get it.
static int key_export(void *data, int selection, OSSL_CALLBACK *callback, void *context) {
  const struct token_key *key = data;
  if (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) return 0;
  return EVP_PKEY_export(key->public_key, selection, callback, context);
}

static const OSSL_PARAM *key_export_types(int selection) {
  static const OSSL_PARAM types[] = {OSSL_PARAM_END};
  return types;
}

static int key_has(const void *data, int selection) { return data != NULL; }

static int key_match(const void *left, const void *right, int selection) {
  const struct token_key *one = left, *other = right;
  return EVP_PKEY_eq(one->public_key, other->public_key) == 1;
}

static int key_get_parameters(void *data, OSSL_PARAM parameters[]) {
  const struct token_key *key = data;
  return EVP_PKEY_get_params(key->public_key, parameters);
}

static const OSSL_PARAM *key_gettable_parameters(void *provider) {
  static const OSSL_PARAM gettable[] = {
    OSSL_PARAM_int(OSSL_PKEY_PARAM_BITS, NULL),
    OSSL_PARAM_int(OSSL_PKEY_PARAM_SECURITY_BITS, NULL),
    OSSL_PARAM_int(OSSL_PKEY_PARAM_MAX_SIZE, NULL),
    OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, NULL, 0),
    OSSL_PARAM_END,
  };
  return gettable;
}

static const char *ec_operation(int operation) { return "ECDSA"; }

#define FUNCTION(identifier, function) {identifier, (void (*)(void))function}
#define KEY_FUNCTIONS \
  FUNCTION(OSSL_FUNC_KEYMGMT_NEW, key_new), FUNCTION(OSSL_FUNC_KEYMGMT_FREE, key_free), \
    FUNCTION(OSSL_FUNC_KEYMGMT_IMPORT, key_import), FUNCTION(OSSL_FUNC_KEYMGMT_IMPORT_TYPES, key_import_types), \
    FUNCTION(OSSL_FUNC_KEYMGMT_EXPORT, key_export), FUNCTION(OSSL_FUNC_KEYMGMT_EXPORT_TYPES, key_export_types), \
    FUNCTION(OSSL_FUNC_KEYMGMT_HAS, key_has), FUNCTION(OSSL_FUNC_KEYMGMT_MATCH, key_match), \
    FUNCTION(OSSL_FUNC_KEYMGMT_GET_PARAMS, key_get_parameters), \
    FUNCTION(OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, key_gettable_parameters)

static const OSSL_DISPATCH rsa_keys[] = {KEY_FUNCTIONS, {0, NULL}};
static const OSSL_DISPATCH ec_keys[] = {
  KEY_FUNCTIONS, FUNCTION(OSSL_FUNC_KEYMGMT_QUERY_OPERATION_NAME, ec_operation), {0, NULL}};

// MARK: Signatures

struct signing {
  struct token_key *key;
  enum token_hash hash;
  bool is_pss;
};

static void *signing_new(void *provider, const char *properties) { return calloc(1, sizeof(struct signing)); }

/// Whether a parameter, which OpenSSL passes as text or as a number, has this value.
///
/// To read one as the other type leaves an error in the queue, and SSL_get_error(3) then takes a handshake that waits for
/// the server for one that has failed.
static bool is_either(const OSSL_PARAM *parameter, const char *text, int number) {
  const char *given;
  int value;
  if (parameter->data_type == OSSL_PARAM_UTF8_STRING || parameter->data_type == OSSL_PARAM_UTF8_PTR) {
    return OSSL_PARAM_get_utf8_string_ptr(parameter, &given) && strcmp(given, text) == 0;
  }
  return OSSL_PARAM_get_int(parameter, &value) && value == number;
}

static int signing_set_parameters(void *data, const OSSL_PARAM parameters[]) {
  struct signing *signing = data;
  if (!parameters) return 1;
  const OSSL_PARAM *padding = OSSL_PARAM_locate_const(parameters, OSSL_SIGNATURE_PARAM_PAD_MODE);
  if (padding) {
    signing->is_pss = is_either(padding, OSSL_PKEY_RSA_PAD_MODE_PSS, RSA_PKCS1_PSS_PADDING);
    if (!signing->is_pss && !is_either(padding, OSSL_PKEY_RSA_PAD_MODE_PKCSV15, RSA_PKCS1_PADDING)) return 0;
  }
  const OSSL_PARAM *salt = OSSL_PARAM_locate_const(parameters, OSSL_SIGNATURE_PARAM_PSS_SALTLEN);
  // The token makes the salt as long as the digest.
  return !salt || is_either(salt, OSSL_PKEY_RSA_PSS_SALT_LEN_DIGEST, RSA_PSS_SALTLEN_DIGEST);
}

static const OSSL_PARAM *signing_settable_parameters(void *data, void *provider) {
  static const OSSL_PARAM settable[] = {
    OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_PAD_MODE, NULL, 0),
    OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_PSS_SALTLEN, NULL, 0),
    OSSL_PARAM_END,
  };
  return settable;
}

static enum token_hash hash_named(const char *name) {
  static const struct {
    const char *name;
    enum token_hash hash;
  } hashes[] = {{"SHA256", TOKEN_SHA256}, {"SHA384", TOKEN_SHA384}, {"SHA512", TOKEN_SHA512}};
  EVP_MD *algorithm = name ? EVP_MD_fetch(NULL, name, NULL) : NULL;
  enum token_hash hash = 0;
  for (size_t index = 0; algorithm && index < sizeof hashes / sizeof *hashes; index++) {
    if (EVP_MD_is_a(algorithm, hashes[index].name)) hash = hashes[index].hash;
  }
  EVP_MD_free(algorithm);
  return hash;
}

static int signing_begin(void *data, const char *hash, void *key, const OSSL_PARAM parameters[]) {
  struct signing *signing = data;
  if (key) signing->key = key;
  signing->hash = hash_named(hash);
  return signing->key && signing->hash && signing_set_parameters(data, parameters);
}

static int signing_sign(
  void *data, unsigned char *signature, size_t *signature_bytes, size_t room, const unsigned char *message,
  size_t message_bytes) {
  static const char *const names[] = {[TOKEN_SHA256] = "SHA256", [TOKEN_SHA384] = "SHA384", [TOKEN_SHA512] = "SHA512"};
  struct signing *signing = data;
  EVP_PKEY *public_key = signing->key->public_key;
  *signature_bytes = (size_t)EVP_PKEY_get_size(public_key);
  if (!signature) return 1;
  uint8_t digest[EVP_MAX_MD_SIZE];
  if (!EVP_Q_digest(NULL, names[signing->hash], NULL, message, message_bytes, digest, NULL)) return 0;
  bool is_rsa = EVP_PKEY_is_a(public_key, "RSA");
  enum token_scheme scheme = !is_rsa ? TOKEN_ECDSA : signing->is_pss ? TOKEN_RSA_PSS : TOKEN_RSA_PKCS1;
  *signature_bytes =
    transport_token_sign(signing->key->token, scheme, signing->hash, digest, signature, room);
  return *signature_bytes > 0;
}

static const OSSL_DISPATCH signatures[] = {
  FUNCTION(OSSL_FUNC_SIGNATURE_NEWCTX, signing_new),
  FUNCTION(OSSL_FUNC_SIGNATURE_FREECTX, free),
  FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT, signing_begin),
  FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_SIGN, signing_sign),
  FUNCTION(OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS, signing_set_parameters),
  FUNCTION(OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS, signing_settable_parameters),
  {0, NULL},
};

// MARK: The provider

static const OSSL_ALGORITHM *provider_query(void *provider, int operation, int *is_uncached) {
  static const OSSL_ALGORITHM keys[] = {
    {"RSA:rsaEncryption", "provider=token", rsa_keys, NULL},
    {"EC:id-ecPublicKey", "provider=token", ec_keys, NULL},
    {NULL, NULL, NULL, NULL},
  };
  static const OSSL_ALGORITHM signers[] = {
    {"RSA:rsaEncryption", "provider=token", signatures, NULL},
    {"ECDSA", "provider=token", signatures, NULL},
    {NULL, NULL, NULL, NULL},
  };
  *is_uncached = 0;
  switch (operation) {
  case OSSL_OP_KEYMGMT: return keys;
  case OSSL_OP_SIGNATURE: return signers;
  default: return NULL;
  }
}

static int provider_begin(
  const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *core, const OSSL_DISPATCH **functions, void **context) {
  static const OSSL_DISPATCH own[] = {
    FUNCTION(OSSL_FUNC_PROVIDER_QUERY_OPERATION, provider_query),
    {0, NULL},
  };
  *functions = own;
  // Any value but null: a provider has no state.
  *context = (void *)own;
  return 1;
}

static OSSL_LIB_CTX *library;

static void load(void) {
  OSSL_LIB_CTX *own = OSSL_LIB_CTX_new();
  if (own && OSSL_PROVIDER_add_builtin(own, "token", provider_begin) == 1 && OSSL_PROVIDER_load(own, "token")) {
    library = own;
  } else {
    OSSL_LIB_CTX_free(own);
  }
}

EVP_PKEY *transport_token_key(EVP_PKEY *public_key, struct transport_token **token) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  bool is_rsa = EVP_PKEY_is_a(public_key, "RSA");
  if (!library || (!is_rsa && !EVP_PKEY_is_a(public_key, "EC"))) return NULL;
  struct token_key parts = {.public_key = public_key, .token = *token};
  void *given = &parts;
  OSSL_PARAM parameters[] = {
    OSSL_PARAM_construct_octet_ptr(parts_name, &given, sizeof parts), OSSL_PARAM_construct_end()};
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, is_rsa ? "RSA" : "EC", NULL);
  EVP_PKEY *key = NULL;
  EVP_PKEY_up_ref(public_key);
  if (context && EVP_PKEY_fromdata_init(context) == 1) {
    EVP_PKEY_fromdata(context, &key, EVP_PKEY_KEYPAIR, parameters);
  }
  EVP_PKEY_CTX_free(context);
  // Both are null once they have been taken over.
  EVP_PKEY_free(parts.public_key);
  *token = parts.token;
  return key;
}
