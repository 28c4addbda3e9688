#include <openssl/err.h>
#include <openssl/pem.h>

#include "identity_parts.h"

BIO *transport_identity_certificates_text(const struct transport_identity *identity) {
  ERR_clear_error();
  BIO *text = BIO_new(BIO_s_mem());
  bool is_written = text && PEM_write_bio_X509(text, identity->leaf) == 1;
  for (int index = 0; is_written && index < sk_X509_num(identity->chain); index++) {
    is_written = PEM_write_bio_X509(text, sk_X509_value(identity->chain, index)) == 1;
  }
  ERR_clear_error();
  if (is_written) return text;
  BIO_free(text);
  return NULL;
}

BIO *transport_identity_key_text(const struct transport_identity *identity) {
  if (identity->token) return NULL;
  ERR_clear_error();
  transport_works_on_keys = true;
  PKCS8_PRIV_KEY_INFO *key = EVP_PKEY2PKCS8(identity->key);
  // Its buffer is wiped when it grows and when it ends.
  BIO *text = key ? BIO_new(BIO_s_secmem()) : NULL;
  bool is_written = text && PEM_write_bio_PKCS8_PRIV_KEY_INFO(text, key) == 1;
  PKCS8_PRIV_KEY_INFO_free(key);
  transport_works_on_keys = false;
  ERR_clear_error();
  if (is_written) return text;
  BIO_free(text);
  return NULL;
}

struct transport_bytes transport_text_bytes(BIO *text) {
  char *bytes = NULL;
  long count = BIO_get_mem_data(text, &bytes);
  return (struct transport_bytes){bytes, count > 0 ? (size_t)count : 0};
}
