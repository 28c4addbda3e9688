#define _GNU_SOURCE
#include "complexity.h"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/x509v3.h>
#include <string.h>

enum {
  /// A signature costs 1.2 ms then, and 13 ms with 16,384 bits, which OpenSSL would take.
  maximum_rsa_bits = 8192,
  /// What OpenSSL allows above 3,072 bits; below, the exponent may be as long as the modulus.
  maximum_exponent_bits = 64,
  /// Names times constraints: 20 ms. A certificate has some hundred names at most, a constrained authority as many
  /// constraints.
  maximum_comparisons = 65536,
};

/// The content of an object identifier, or the beginning of it.
struct object {
  unsigned char bytes[8];
  size_t length;
};

/// id-ecPublicKey (RFC 5480 §2.1.1).
static const struct object elliptic = {{0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01}, 7};
/// SM2's algorithm and curve, which TLS does not have here.
static const struct object sm2 = {{0x2A, 0x81, 0x1C, 0xCF, 0x55, 0x01, 0x82, 0x2D}, 8};
/// Of X9.62 over prime fields, of SECG, and of Brainpool (RFC 5639).
static const struct object curves[] = {
  {{0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01}, 7},
  {{0x2B, 0x81, 0x04, 0x00}, 4},
  {{0x2B, 0x24, 0x03, 0x03, 0x02, 0x08, 0x01, 0x01}, 8},
};

/// Whether what follows the algorithm of a key is the name of a curve in use.
static bool is_usual_curve(const unsigned char *bytes, size_t length) {
  if (length < 2 || bytes[0] != V_ASN1_OBJECT) return false;
  for (size_t index = 0; index < sizeof curves / sizeof *curves; index++) {
    const struct object *curve = &curves[index];
    bool fits = bytes[1] >= curve->length && length - 2 >= curve->length;
    if (fits && memcmp(bytes + 2, curve->bytes, curve->length) == 0) return true;
  }
  return false;
}

bool transport_has_costly_curve(const unsigned char *bytes, size_t length) {
  // The bytes of a name are always these, however lengths are written.
  if (memmem(bytes, length, sm2.bytes, sm2.length)) return true;
  const unsigned char *end = bytes + length, *found;
  while ((found = memmem(bytes, (size_t)(end - bytes), elliptic.bytes, elliptic.length))) {
    bytes = found + elliptic.length;
    if (!is_usual_curve(bytes, (size_t)(end - bytes))) return true;
  }
  return false;
}

static int exponent_bits(const EVP_PKEY *key) {
  BIGNUM *exponent = NULL;
  int bits = EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_E, &exponent) ? BN_num_bits(exponent) : 0;
  BN_free(exponent);
  return bits;
}

static bool is_costly(const EVP_PKEY *key) {
  // Nothing can be verified with a key that cannot be read.
  if (!key) return false;
  switch (EVP_PKEY_get_base_id(key)) {
    case EVP_PKEY_DSA: return true;
    case EVP_PKEY_RSA:
    case EVP_PKEY_RSA_PSS:
      return EVP_PKEY_get_bits(key) > maximum_rsa_bits || exponent_bits(key) > maximum_exponent_bits;
    case EVP_PKEY_EC: {
      char name[80];
      return !EVP_PKEY_get_utf8_string_param(key, OSSL_PKEY_PARAM_GROUP_NAME, name, sizeof name, NULL);
    }
    default: return false;
  }
}

int transport_costly_key(const STACK_OF(X509) *certificates) {
  for (int index = 0; index < sk_X509_num(certificates); index++) {
    if (is_costly(X509_get0_pubkey(sk_X509_value(certificates, index)))) return index;
  }
  return -1;
}

bool transport_presents_costly_key(X509_STORE_CTX *chain, int *depth) {
  X509 *leaf = X509_STORE_CTX_get0_cert(chain);
  *depth = 0;
  if (leaf && is_costly(X509_get0_pubkey(leaf))) return true;
  *depth = transport_costly_key(X509_STORE_CTX_get0_untrusted(chain));
  return *depth >= 0;
}

static int count_constraints(X509 *issuer) {
  if (X509_get_ext_by_NID(issuer, NID_name_constraints, -1) < 0) return 0;
  NAME_CONSTRAINTS *constraints = X509_get_ext_d2i(issuer, NID_name_constraints, NULL, NULL);
  if (!constraints) return 0;
  int permitted = sk_GENERAL_SUBTREE_num(constraints->permittedSubtrees);
  int excluded = sk_GENERAL_SUBTREE_num(constraints->excludedSubtrees);
  NAME_CONSTRAINTS_free(constraints);
  return (permitted > 0 ? permitted : 0) + (excluded > 0 ? excluded : 0);
}

/// The subject counts as a name, and each of its parts may be one of a host or a mailbox.
static int count_names(X509 *certificate) {
  GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
  int count = names ? sk_GENERAL_NAME_num(names) : 0;
  GENERAL_NAMES_free(names);
  return count + 1 + X509_NAME_entry_count(X509_get_subject_name(certificate));
}

int transport_costly_constraints(const STACK_OF(X509) *built) {
  long names = 0, comparisons = 0;
  int counted = 0;
  for (int depth = 1; depth < sk_X509_num(built); depth++) {
    long constraints = count_constraints(sk_X509_value(built, depth));
    if (!constraints) continue;
    while (counted < depth) names += count_names(sk_X509_value(built, counted++));
    comparisons += names * constraints;
    if (comparisons > maximum_comparisons) return depth;
  }
  return -1;
}
