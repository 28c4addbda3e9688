#include "certificate.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// Copies the contents of `text` to a string of its own.
static char *take_text(BIO *text) {
  char *bytes = NULL;
  long length = BIO_get_mem_data(text, &bytes);
  char *copy = length < 0 ? NULL : malloc((size_t)length + 1);
  if (!copy) return NULL;
  if (length) memcpy(copy, bytes, (size_t)length);
  copy[length] = 0;
  return copy;
}

char *transport_name_text(const X509_NAME *name) {
  // RFC 4514 allows plain UTF-8: only values that are no text are written in hexadecimal.
  const unsigned long readable = XN_FLAG_RFC2253 & ~(unsigned long)ASN1_STRFLGS_ESC_MSB;
  BIO *text = BIO_new(BIO_s_mem());
  if (!text) return NULL;
  bool written = X509_NAME_print_ex(text, name, 0, readable) >= 0;
  if (!written) {
    // The bytes are invalid in their stated encoding.
    (void)BIO_reset(text);
    written = X509_NAME_print_ex(text, name, 0, XN_FLAG_RFC2253 | ASN1_STRFLGS_DUMP_ALL) >= 0;
  }
  char *taken = written ? take_text(text) : NULL;
  BIO_free(text);
  return taken;
}

static char *serial_text(const X509 *certificate) {
  BIGNUM *number = ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), NULL);
  char *digits = number ? BN_bn2hex(number) : NULL;
  char *text = digits ? strdup(digits) : NULL;
  for (char *digit = text; digit && *digit; digit++) *digit = (char)tolower((unsigned char)*digit);
  OPENSSL_free(digits);
  BN_free(number);
  return text;
}

static bool read_time(const ASN1_TIME *time, double *seconds) {
  struct tm parts;
  if (!ASN1_TIME_to_tm(time, &parts)) return false;
  *seconds = (double)timegm(&parts);
  return true;
}

static bool write_string(BIO *text, const char *kind, const ASN1_STRING *string) {
  return BIO_puts(text, kind) > 0
    && ASN1_STRING_print_ex(text, string, ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_ESC_MSB) >= 0;
}

static bool write_address(BIO *text, const ASN1_OCTET_STRING *address) {
  char shown[INET6_ADDRSTRLEN];
  int length = ASN1_STRING_length(address);
  int family = length == 4 ? AF_INET : length == 16 ? AF_INET6 : AF_UNSPEC;
  return inet_ntop(family, ASN1_STRING_get0_data(address), shown, sizeof shown)
    && BIO_puts(text, "IP:") > 0 && BIO_puts(text, shown) > 0;
}

/// Null for a kind that is not shown.
static char *alternative_name_text(const GENERAL_NAME *name) {
  BIO *text = BIO_new(BIO_s_mem());
  if (!text) return NULL;
  bool written = false;
  switch (name->type) {
    case GEN_DNS: written = write_string(text, "DNS:", name->d.dNSName); break;
    case GEN_URI: written = write_string(text, "URI:", name->d.uniformResourceIdentifier); break;
    case GEN_EMAIL: written = write_string(text, "email:", name->d.rfc822Name); break;
    case GEN_IPADD: written = write_address(text, name->d.iPAddress); break;
  }
  char *taken = written ? take_text(text) : NULL;
  BIO_free(text);
  return taken;
}

static bool read_alternative_names(X509 *certificate, struct transport_certificate *read) {
  GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
  int count = sk_GENERAL_NAME_num(names);
  if (count > TRANSPORT_MAXIMUM_ALTERNATIVE_NAMES) count = TRANSPORT_MAXIMUM_ALTERNATIVE_NAMES;
  // An unreadable extension yields no names.
  if (count > 0) {
    read->alternative_names = calloc((size_t)count, sizeof *read->alternative_names);
    for (int index = 0; read->alternative_names && index < count; index++) {
      char *text = alternative_name_text(sk_GENERAL_NAME_value(names, index));
      if (text) read->alternative_names[read->alternative_name_count++] = text;
    }
  }
  GENERAL_NAMES_free(names);
  return count <= 0 || read->alternative_names;
}

static void read_key(X509 *certificate, struct transport_certificate *read) {
  EVP_PKEY *key = X509_get0_pubkey(certificate);
  read->key_bits = key ? EVP_PKEY_get_bits(key) : 0;
  switch (key ? EVP_PKEY_get_base_id(key) : NID_undef) {
    case EVP_PKEY_RSA:
    case EVP_PKEY_RSA_PSS: read->key_type = "rsa"; break;
    case EVP_PKEY_EC: read->key_type = "ec"; break;
    case EVP_PKEY_ED25519: read->key_type = "ed25519"; break;
    case EVP_PKEY_ED448: read->key_type = "ed448"; break;
    case EVP_PKEY_DSA: read->key_type = "dsa"; break;
    default: read->key_type = "other";
  }
}

static bool read_der(X509 *certificate, struct transport_certificate *read) {
  int length = i2d_X509(certificate, NULL);
  unsigned char *position = length > 0 ? read->der = malloc((size_t)length) : NULL;
  if (!position) return false;
  read->der_length = (size_t)length;
  return i2d_X509(certificate, &position) == length;
}

bool transport_certificate_read(X509 *certificate, struct transport_certificate *read) {
  *read = (struct transport_certificate){.key_type = "other"};
  bool complete = (read->subject = transport_name_text(X509_get_subject_name(certificate)))
    && (read->issuer = transport_name_text(X509_get_issuer_name(certificate)))
    && (read->serial_number = serial_text(certificate))
    && read_time(X509_get0_notBefore(certificate), &read->not_before)
    && read_time(X509_get0_notAfter(certificate), &read->not_after)
    && read_alternative_names(certificate, read)
    && transport_certificate_fingerprint(certificate, &read->sha256)
    && transport_certificate_public_key(certificate, &read->public_key) && read_der(certificate, read);
  read_key(certificate, read);
  // An unreadable part must not be taken for an error of the connection.
  ERR_clear_error();
  if (!complete) transport_certificate_clear(read);
  return complete;
}

void transport_certificate_clear(struct transport_certificate *read) {
  for (int index = 0; index < read->alternative_name_count; index++) free(read->alternative_names[index]);
  free(read->alternative_names);
  free(read->subject);
  free(read->issuer);
  free(read->serial_number);
  free(read->der);
  *read = (struct transport_certificate){.key_type = "other"};
}

bool transport_certificate_fingerprint(X509 *certificate, struct transport_fingerprint *fingerprint) {
  return X509_digest(certificate, EVP_sha256(), fingerprint->bytes, NULL);
}

bool transport_certificate_public_key(X509 *certificate, struct transport_fingerprint *fingerprint) {
  unsigned char *der = NULL;
  int length = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &der);
  if (length <= 0) return false;
  bool made = EVP_Digest(der, (size_t)length, fingerprint->bytes, NULL, EVP_sha256(), NULL);
  OPENSSL_free(der);
  return made;
}

X509 *transport_presented_at(X509_STORE_CTX *chain, int index) {
  X509 *leaf = X509_STORE_CTX_get0_cert(chain);
  if (index <= 0) return index ? NULL : leaf;
  STACK_OF(X509) *others = X509_STORE_CTX_get0_untrusted(chain);
  for (int place = 0; place < sk_X509_num(others); place++) {
    X509 *other = sk_X509_value(others, place);
    // TLS lists the server's own certificate among the others too.
    if ((!leaf || X509_cmp(other, leaf)) && --index == 0) return other;
  }
  return NULL;
}

int transport_presented_count(X509_STORE_CTX *chain) {
  X509 *leaf = X509_STORE_CTX_get0_cert(chain);
  if (!leaf) return 0;
  STACK_OF(X509) *others = X509_STORE_CTX_get0_untrusted(chain);
  int count = 1;
  for (int place = 0; place < sk_X509_num(others); place++) {
    count += X509_cmp(sk_X509_value(others, place), leaf) != 0;
  }
  return count;
}

bool transport_presented_fingerprint(X509_STORE_CTX *chain, struct transport_fingerprint *fingerprint) {
  EVP_MD_CTX *hash = EVP_MD_CTX_new();
  bool made = hash && EVP_DigestInit_ex2(hash, EVP_sha256(), NULL);
  X509 *leaf = X509_STORE_CTX_get0_cert(chain);
  STACK_OF(X509) *others = X509_STORE_CTX_get0_untrusted(chain);
  for (int place = -1; made && place < sk_X509_num(others); place++) {
    X509 *certificate = place < 0 ? leaf : sk_X509_value(others, place);
    if (place >= 0 && certificate && X509_cmp(certificate, leaf) == 0) continue;
    struct transport_fingerprint one;
    made = certificate && transport_certificate_fingerprint(certificate, &one)
      && EVP_DigestUpdate(hash, one.bytes, sizeof one.bytes);
  }
  made = made && EVP_DigestFinal_ex(hash, fingerprint->bytes, NULL);
  EVP_MD_CTX_free(hash);
  return made;
}

STACK_OF(X509) *transport_presented_copy(X509_STORE_CTX *chain) {
  return X509_chain_up_ref(X509_STORE_CTX_get0_untrusted(chain));
}

void transport_chain_free(STACK_OF(X509) *chain) {
  sk_X509_pop_free(chain, X509_free);
}

int transport_verified_count(X509_STORE_CTX *chain) {
  int count = sk_X509_num(X509_STORE_CTX_get0_chain(chain));
  return count < 0 ? 0 : count;
}

X509 *transport_verified_at(X509_STORE_CTX *chain, int index) {
  return sk_X509_value(X509_STORE_CTX_get0_chain(chain), index);
}
