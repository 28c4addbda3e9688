#include <openssl/err.h>
#include <string.h>

#include "identity_parts.h"

/// One file during reading.
struct reading {
  /// The passphrase that opens it: its own, or one of the two forms of none.
  const char *passphrase;
  int passphrase_count;
  bool has_passphrase;
  int64_t rounds;
  struct transport_pkcs12 *contents;
};

static enum transport_identity_fault refusal(const struct reading *reading) {
  if (transport_lacks_algorithm()) return TRANSPORT_IDENTITY_UNSUPPORTED;
  return reading->has_passphrase ? TRANSPORT_IDENTITY_WRONG_PASSPHRASE : TRANSPORT_IDENTITY_PASSPHRASE_NEEDED;
}

static enum transport_identity_fault take_key(
  struct reading *reading, const PKCS8_PRIV_KEY_INFO *decrypted) {
  // The first one counts: a file with several keys does not say which is meant.
  if (!reading->contents->key) reading->contents->key = EVP_PKCS82PKEY(decrypted);
  return reading->contents->key ? 0 : TRANSPORT_IDENTITY_KEY_UNREADABLE;
}

static enum transport_identity_fault read_shrouded_key(struct reading *reading, const PKCS12_SAFEBAG *bag) {
  const X509_SIG *encrypted = PKCS12_SAFEBAG_get0_pkcs8(bag);
  if (!encrypted) return TRANSPORT_IDENTITY_PKCS12_UNREADABLE;
  struct transport_bytes passphrase = {reading->passphrase, (size_t)reading->passphrase_count};
  enum transport_identity_fault fault = 0;
  PKCS8_PRIV_KEY_INFO *decrypted =
    transport_decrypt_key(encrypted, &passphrase, &reading->rounds, &fault);
  if (!decrypted) {
    bool is_without = fault == TRANSPORT_IDENTITY_WRONG_PASSPHRASE && !reading->has_passphrase;
    return is_without ? TRANSPORT_IDENTITY_PASSPHRASE_NEEDED : fault;
  }
  fault = take_key(reading, decrypted);
  PKCS8_PRIV_KEY_INFO_free(decrypted);
  return fault;
}

static enum transport_identity_fault read_certificate(struct reading *reading, const PKCS12_SAFEBAG *bag) {
  // Revocation lists and other entries are skipped.
  if (PKCS12_SAFEBAG_get_bag_nid(bag) != NID_x509Certificate) return 0;
  STACK_OF(X509) *certificates = reading->contents->certificates;
  if (sk_X509_num(certificates) == transport_identity_maximum_certificates) {
    return TRANSPORT_IDENTITY_TOO_LARGE;
  }
  X509 *certificate = PKCS12_SAFEBAG_get1_cert(bag);
  if (!certificate) return TRANSPORT_IDENTITY_CERTIFICATES_UNREADABLE;
  if (sk_X509_push(certificates, certificate)) return 0;
  X509_free(certificate);
  return TRANSPORT_IDENTITY_OUT_OF_MEMORY;
}

static enum transport_identity_fault read_bag(struct reading *reading, const PKCS12_SAFEBAG *bag) {
  switch (PKCS12_SAFEBAG_get_nid(bag)) {
  case NID_keyBag: return take_key(reading, PKCS12_SAFEBAG_get0_p8inf(bag));
  case NID_pkcs8ShroudedKeyBag: return read_shrouded_key(reading, bag);
  case NID_certBag: return read_certificate(reading, bag);
  default: return 0;
  }
}

static enum transport_identity_fault read_safe(struct reading *reading, PKCS7 *safe) {
  STACK_OF(PKCS12_SAFEBAG) *bags = NULL;
  if (PKCS7_type_is_data(safe)) {
    bags = PKCS12_unpack_p7data(safe);
    if (!bags) return TRANSPORT_IDENTITY_PKCS12_UNREADABLE;
  } else if (PKCS7_type_is_encrypted(safe) && safe->d.encrypted && safe->d.encrypted->enc_data) {
    if (!transport_add_rounds(safe->d.encrypted->enc_data->algorithm, &reading->rounds)) {
      return TRANSPORT_IDENTITY_TOO_LARGE;
    }
    ERR_clear_error();
    bags = PKCS12_unpack_p7encdata(safe, reading->passphrase, reading->passphrase_count);
    if (!bags) return refusal(reading);
  } else {
    // Files encrypted for a recipient's key instead of a passphrase are not in use.
    return TRANSPORT_IDENTITY_UNSUPPORTED;
  }
  enum transport_identity_fault fault = 0;
  for (int index = 0; !fault && index < sk_PKCS12_SAFEBAG_num(bags); index++) {
    fault = read_bag(reading, sk_PKCS12_SAFEBAG_value(bags, index));
  }
  sk_PKCS12_SAFEBAG_pop_free(bags, PKCS12_SAFEBAG_free);
  return fault;
}

/// Finds the passphrase that opens the file. An empty one has two forms (RFC 7292 appendix B.1).
static enum transport_identity_fault check_passphrase(struct reading *reading, PKCS12 *file) {
  if (!PKCS12_mac_present(file)) return 0;
  const ASN1_INTEGER *count = NULL;
  int64_t rounds = 1;
  PKCS12_get0_mac(NULL, NULL, NULL, &count, file);
  if (count && (!ASN1_INTEGER_get_int64(&rounds, count) || rounds < 1)) {
    return TRANSPORT_IDENTITY_PKCS12_UNREADABLE;
  }
  if (rounds > transport_identity_maximum_rounds) return TRANSPORT_IDENTITY_TOO_LARGE;
  reading->rounds += rounds;
  ERR_clear_error();
  if (PKCS12_verify_mac(file, reading->passphrase, reading->passphrase_count)) return 0;
  if (reading->passphrase_count == 0 && PKCS12_verify_mac(file, NULL, 0)) {
    reading->passphrase = NULL;
    return 0;
  }
  return refusal(reading);
}

static enum transport_identity_fault read_file(struct reading *reading, PKCS12 *file) {
  enum transport_identity_fault fault = check_passphrase(reading, file);
  if (fault) return fault;
  STACK_OF(PKCS7) *safes = PKCS12_unpack_authsafes(file);
  if (!safes) return TRANSPORT_IDENTITY_PKCS12_UNREADABLE;
  for (int index = 0; !fault && index < sk_PKCS7_num(safes); index++) {
    fault = read_safe(reading, sk_PKCS7_value(safes, index));
  }
  sk_PKCS7_pop_free(safes, PKCS7_free);
  if (!fault && !reading->contents->key) fault = TRANSPORT_IDENTITY_KEY_UNREADABLE;
  return fault;
}

/// Reads it with the algorithms of one library; null stands for the process's default.
static enum transport_identity_fault read_with(
  OSSL_LIB_CTX *library, struct transport_bytes bytes, const struct transport_bytes *passphrase,
  struct transport_pkcs12 *contents) {
  // A file takes over the library of the value that it is read into.
  PKCS12 *file = PKCS12_init_ex(NID_pkcs7_data, library, NULL);
  if (!file) return TRANSPORT_IDENTITY_OUT_OF_MEMORY;
  const unsigned char *next = bytes.bytes;
  if (!d2i_PKCS12(&file, &next, (long)bytes.count)) return TRANSPORT_IDENTITY_PKCS12_UNREADABLE;
  struct reading reading = {
    .passphrase = passphrase && passphrase->count > 0 ? passphrase->bytes : "",
    .passphrase_count = passphrase ? (int)passphrase->count : 0,
    .has_passphrase = passphrase != NULL,
    .contents = contents,
  };
  enum transport_identity_fault fault = read_file(&reading, file);
  PKCS12_free(file);
  return fault;
}

enum transport_identity_fault transport_read_pkcs12(
  struct transport_bytes bytes, const struct transport_bytes *passphrase, struct transport_pkcs12 *contents) {
  contents->certificates = sk_X509_new_null();
  if (!contents->certificates) return TRANSPORT_IDENTITY_OUT_OF_MEMORY;
  enum transport_identity_fault fault = read_with(NULL, bytes, passphrase, contents);
  if (fault != TRANSPORT_IDENTITY_UNSUPPORTED) return fault;
  OSSL_LIB_CTX *legacy = transport_legacy_library();
  if (!legacy) return fault;
  sk_X509_pop_free(contents->certificates, X509_free);
  EVP_PKEY_free(contents->key);
  *contents = (struct transport_pkcs12){.certificates = sk_X509_new_null()};
  if (!contents->certificates) return TRANSPORT_IDENTITY_OUT_OF_MEMORY;
  return read_with(legacy, bytes, passphrase, contents);
}
