#include <openssl/asn1.h>
#include <openssl/evp.h>
#include <stdbool.h>
#include <string.h>

#include "identity.h"

/// Hashes a part after its length, so that no two lists of parts give the same hash.
static bool feed(EVP_MD_CTX *hash, const void *bytes, size_t count) {
  uint64_t length = count;
  return EVP_DigestUpdate(hash, &length, sizeof length) && EVP_DigestUpdate(hash, bytes, count);
}

static bool is_space(unsigned char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

/// Trims spaces, reduces several to one, and lowercases; in place.
static size_t simplify(unsigned char *text, size_t count) {
  size_t kept = 0;
  bool is_after_space = true;
  for (size_t index = 0; index < count; index++) {
    unsigned char byte = text[index];
    if (is_space(byte)) {
      if (!is_after_space) text[kept++] = ' ';
      is_after_space = true;
    } else {
      text[kept++] = byte >= 'A' && byte <= 'Z' ? byte + ('a' - 'A') : byte;
      is_after_space = false;
    }
  }
  return kept > 0 && text[kept - 1] == ' ' ? kept - 1 : kept;
}

static bool is_text(int type) {
  switch (type) {
  case V_ASN1_UTF8STRING:
  case V_ASN1_BMPSTRING:
  case V_ASN1_UNIVERSALSTRING:
  case V_ASN1_PRINTABLESTRING:
  case V_ASN1_T61STRING:
  case V_ASN1_IA5STRING:
  case V_ASN1_VISIBLESTRING: return true;
  default: return false;
  }
}

static bool feed_value(EVP_MD_CTX *hash, const ASN1_STRING *value) {
  unsigned char *text = NULL;
  int count = is_text(ASN1_STRING_type(value)) ? ASN1_STRING_to_UTF8(&text, value) : -1;
  if (count < 0) {
    unsigned char type = (unsigned char)ASN1_STRING_type(value);
    return feed(hash, &type, 1)
      && feed(hash, ASN1_STRING_get0_data(value), (size_t)ASN1_STRING_length(value));
  }
  bool is_fed = feed(hash, "", 0) && feed(hash, text, simplify(text, (size_t)count));
  OPENSSL_free(text);
  return is_fed;
}

static bool feed_entry(EVP_MD_CTX *hash, const X509_NAME_ENTRY *entry) {
  const ASN1_OBJECT *type = X509_NAME_ENTRY_get_object(entry);
  int set = X509_NAME_ENTRY_set(entry);
  return feed(hash, &set, sizeof set) && feed(hash, OBJ_get0_data(type), OBJ_length(type))
    && feed_value(hash, X509_NAME_ENTRY_get_data(entry));
}

bool transport_name_digest(const X509_NAME *name, uint8_t digest[transport_name_digest_bytes]) {
  EVP_MD_CTX *hash = EVP_MD_CTX_new();
  bool is_made = hash && EVP_DigestInit_ex(hash, EVP_sha256(), NULL);
  for (int index = 0; is_made && index < X509_NAME_entry_count(name); index++) {
    is_made = feed_entry(hash, X509_NAME_get_entry(name, index));
  }
  is_made = is_made && EVP_DigestFinal_ex(hash, digest, NULL);
  EVP_MD_CTX_free(hash);
  return is_made;
}
