#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/provider.h>
#include <pthread.h>
#include <string.h>

#include "identity_parts.h"
#include "pem.h"

enum {
  /// RFC 7914's costs: N·r·p, in units of the rounds of a hash. N = 2^17, r = 8 is a common choice.
  scrypt_blocks_per_round = 8,
};

int transport_no_passphrase(char *buffer, int size, int is_for_writing, void *context) { return -1; }

static OSSL_LIB_CTX *legacy_library;

static void load_legacy(void) {
  OSSL_LIB_CTX *library = OSSL_LIB_CTX_new();
  if (!library) return;
  if (OSSL_PROVIDER_load(library, "default") && OSSL_PROVIDER_load(library, "legacy")) {
    legacy_library = library;
  } else {
    OSSL_LIB_CTX_free(library);
  }
}

OSSL_LIB_CTX *transport_legacy_library(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load_legacy);
  return legacy_library;
}

bool transport_lacks_algorithm(void) {
  unsigned long error;
  bool lacks = false;
  while ((error = ERR_get_error())) {
    int reason = ERR_GET_REASON(error);
    lacks = lacks || reason == ERR_R_UNSUPPORTED
      || (ERR_GET_LIB(error) == ERR_LIB_EVP
          && (reason == EVP_R_UNKNOWN_PBE_ALGORITHM || reason == EVP_R_UNSUPPORTED_CIPHER
              || reason == EVP_R_UNSUPPORTED_PRF || reason == EVP_R_UNKNOWN_CIPHER
              || reason == EVP_R_UNSUPPORTED_KEY_DERIVATION_FUNCTION));
  }
  return lacks;
}

static bool add(const ASN1_INTEGER *count, int64_t factor, int64_t *rounds) {
  int64_t value;
  if (!count || !ASN1_INTEGER_get_int64(&value, count)) return false;
  if (value < 1 || value > transport_identity_maximum_rounds / factor) return false;
  *rounds += value * factor;
  return *rounds <= transport_identity_maximum_rounds;
}

static bool add_scrypt(const SCRYPT_PARAMS *parameters, int64_t *rounds) {
  int64_t size, parallel;
  if (!ASN1_INTEGER_get_int64(&size, parameters->blockSize)) return false;
  if (!ASN1_INTEGER_get_int64(&parallel, parameters->parallelizationParameter)) return false;
  if (size < 1 || size > transport_identity_maximum_rounds || parallel < 1) return false;
  if (parallel > transport_identity_maximum_rounds / size) return false;
  int64_t factor = (size * parallel + scrypt_blocks_per_round - 1) / scrypt_blocks_per_round;
  return add(parameters->costParameter, factor, rounds);
}

/// PKCS#5 version 2 (RFC 8018 §6.2).
static bool add_pbes2(const X509_ALGOR *algorithm, int64_t *rounds) {
  PBE2PARAM *parameters = ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBE2PARAM), algorithm->parameter);
  if (!parameters) return false;
  const X509_ALGOR *function = parameters->keyfunc;
  bool is_added = false;
  switch (OBJ_obj2nid(function->algorithm)) {
  case NID_id_pbkdf2: {
    PBKDF2PARAM *inner = ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBKDF2PARAM), function->parameter);
    is_added = inner && add(inner->iter, 1, rounds);
    PBKDF2PARAM_free(inner);
    break;
  }
  case NID_id_scrypt: {
    SCRYPT_PARAMS *inner = ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(SCRYPT_PARAMS), function->parameter);
    is_added = inner && add_scrypt(inner, rounds);
    SCRYPT_PARAMS_free(inner);
    break;
  }
  default: break;
  }
  PBE2PARAM_free(parameters);
  return is_added;
}

bool transport_add_rounds(const X509_ALGOR *algorithm, int64_t *rounds) {
  if (OBJ_obj2nid(algorithm->algorithm) == NID_pbes2) return add_pbes2(algorithm, rounds);
  // PKCS#5 version 1 and PKCS#12: a salt and a count.
  PBEPARAM *parameters = ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBEPARAM), algorithm->parameter);
  bool is_added = parameters && add(parameters->iter, 1, rounds);
  PBEPARAM_free(parameters);
  return is_added;
}

PKCS8_PRIV_KEY_INFO *transport_decrypt_key(
  const X509_SIG *encrypted, const struct transport_bytes *passphrase, int64_t *rounds,
  enum transport_identity_fault *fault) {
  const X509_ALGOR *algorithm;
  X509_SIG_get0(encrypted, &algorithm, NULL);
  *fault = TRANSPORT_IDENTITY_TOO_LARGE;
  if (!transport_add_rounds(algorithm, rounds)) return NULL;
  *fault = TRANSPORT_IDENTITY_PASSPHRASE_NEEDED;
  if (!passphrase) return NULL;
  ERR_clear_error();
  int count = (int)passphrase->count;
  PKCS8_PRIV_KEY_INFO *key = PKCS8_decrypt(encrypted, passphrase->bytes, count);
  if (key) return key;
  *fault = TRANSPORT_IDENTITY_WRONG_PASSPHRASE;
  if (!transport_lacks_algorithm()) return NULL;
  OSSL_LIB_CTX *legacy = transport_legacy_library();
  if (legacy && (key = PKCS8_decrypt_ex(encrypted, passphrase->bytes, count, legacy, NULL))) return key;
  if (!legacy || transport_lacks_algorithm()) *fault = TRANSPORT_IDENTITY_UNSUPPORTED;
  return NULL;
}

static EVP_PKEY *decode_pkcs8(PKCS8_PRIV_KEY_INFO *decrypted, enum transport_identity_fault *fault) {
  EVP_PKEY *key = decrypted ? EVP_PKCS82PKEY(decrypted) : NULL;
  if (decrypted && !key) *fault = TRANSPORT_IDENTITY_KEY_UNREADABLE;
  PKCS8_PRIV_KEY_INFO_free(decrypted);
  return key;
}

static EVP_PKEY *decode_encrypted(
  const unsigned char *bytes, long count, const struct transport_bytes *passphrase,
  enum transport_identity_fault *fault) {
  int64_t rounds = 0;
  X509_SIG *encrypted = d2i_X509_SIG(NULL, &bytes, count);
  *fault = TRANSPORT_IDENTITY_KEY_UNREADABLE;
  if (!encrypted) return NULL;
  PKCS8_PRIV_KEY_INFO *decrypted = transport_decrypt_key(encrypted, passphrase, &rounds, fault);
  X509_SIG_free(encrypted);
  return decode_pkcs8(decrypted, fault);
}

static int give_passphrase(char *buffer, int size, int is_for_writing, void *context) {
  const struct transport_bytes *passphrase = context;
  if (!passphrase || passphrase->count > (size_t)size) return -1;
  if (passphrase->count > 0) memcpy(buffer, passphrase->bytes, passphrase->count);
  return (int)passphrase->count;
}

/// `RSA PRIVATE KEY` and `EC PRIVATE KEY`, possibly encrypted as in RFC 1421.
static EVP_PKEY *decode_traditional(
  int kind, char *header, unsigned char *bytes, long count, const struct transport_bytes *passphrase,
  enum transport_identity_fault *fault) {
  EVP_CIPHER_INFO cipher;
  *fault = TRANSPORT_IDENTITY_KEY_UNREADABLE;
  if (!PEM_get_EVP_CIPHER_INFO(header, &cipher)) {
    if (transport_lacks_algorithm()) *fault = TRANSPORT_IDENTITY_UNSUPPORTED;
    return NULL;
  }
  if (cipher.cipher) {
    *fault = passphrase ? TRANSPORT_IDENTITY_WRONG_PASSPHRASE : TRANSPORT_IDENTITY_PASSPHRASE_NEEDED;
    if (!passphrase) return NULL;
    if (!PEM_do_header(&cipher, bytes, &count, give_passphrase, (void *)passphrase)) {
      if (transport_lacks_algorithm()) *fault = TRANSPORT_IDENTITY_UNSUPPORTED;
      return NULL;
    }
  }
  const unsigned char *next = bytes;
  return d2i_PrivateKey(kind, NULL, &next, count);
}

/// Null with the fault 0 when the block is no private key.
static EVP_PKEY *decode_block(
  const char *name, char *header, unsigned char *bytes, long count, const struct transport_bytes *passphrase,
  enum transport_identity_fault *fault) {
  *fault = 0;
  if (strcmp(name, PEM_STRING_PKCS8) == 0) return decode_encrypted(bytes, count, passphrase, fault);
  if (strcmp(name, PEM_STRING_RSA) == 0) {
    return decode_traditional(EVP_PKEY_RSA, header, bytes, count, passphrase, fault);
  }
  if (strcmp(name, PEM_STRING_ECPRIVATEKEY) == 0) {
    return decode_traditional(EVP_PKEY_EC, header, bytes, count, passphrase, fault);
  }
  if (strcmp(name, PEM_STRING_PKCS8INF) == 0) {
    const unsigned char *next = bytes;
    *fault = TRANSPORT_IDENTITY_KEY_UNREADABLE;
    return decode_pkcs8(d2i_PKCS8_PRIV_KEY_INFO(NULL, &next, count), fault);
  }
  if (strstr(name, "PRIVATE KEY")) *fault = TRANSPORT_IDENTITY_UNSUPPORTED;
  return NULL;
}

EVP_PKEY *transport_read_private_key(
  struct transport_bytes text, const struct transport_bytes *passphrase,
  enum transport_identity_fault *fault) {
  BIO *source = transport_pem_text(text.bytes, text.count);
  *fault = TRANSPORT_IDENTITY_OUT_OF_MEMORY;
  if (!source) return NULL;
  EVP_PKEY *key = NULL;
  char *name = NULL, *header = NULL;
  unsigned char *bytes = NULL;
  long count = 0;
  *fault = 0;
  while (!key && !*fault && PEM_read_bio_ex(source, &name, &header, &bytes, &count, PEM_FLAG_SECURE)) {
    key = decode_block(name, header, bytes, count, passphrase, fault);
    OPENSSL_secure_free(name);
    OPENSSL_secure_free(header);
    OPENSSL_secure_clear_free(bytes, (size_t)count);
  }
  BIO_free(source);
  if (!key && !*fault) *fault = TRANSPORT_IDENTITY_KEY_UNREADABLE;
  return key;
}
