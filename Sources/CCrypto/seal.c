#include "seal.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

bool watchword_seal(
    const uint8_t *key, const uint8_t *nonce, const void *associated, size_t associated_count, const void *plain,
    size_t count, uint8_t *sealed) {
  if (associated_count > INT_MAX || count > INT_MAX - WATCHWORD_SEAL_TAG_BYTES) return false;
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  if (context == NULL) return false;
  int written = 0;
  const bool done =
      EVP_EncryptInit_ex2(context, EVP_aes_256_gcm(), key, nonce, NULL) == 1
      && (associated_count == 0
          || EVP_EncryptUpdate(context, NULL, &written, associated, (int)associated_count) == 1)
      && (count == 0 || EVP_EncryptUpdate(context, sealed, &written, plain, (int)count) == 1)
      && EVP_EncryptFinal_ex(context, sealed + count, &written) == 1
      && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, WATCHWORD_SEAL_TAG_BYTES, sealed + count) == 1;
  EVP_CIPHER_CTX_free(context);
  return done;
}

bool watchword_open_seal(
    const uint8_t *key, const uint8_t *nonce, const void *associated, size_t associated_count,
    const uint8_t *sealed, size_t count, uint8_t *plain) {
  if (associated_count > INT_MAX || count > INT_MAX - WATCHWORD_SEAL_TAG_BYTES) return false;
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  if (context == NULL) return false;
  int written = 0;
  uint8_t last[1];
  const bool done =
      EVP_DecryptInit_ex2(context, EVP_aes_256_gcm(), key, nonce, NULL) == 1
      && (associated_count == 0
          || EVP_DecryptUpdate(context, NULL, &written, associated, (int)associated_count) == 1)
      && (count == 0 || EVP_DecryptUpdate(context, plain, &written, sealed, (int)count) == 1)
      && EVP_CIPHER_CTX_ctrl(
             context, EVP_CTRL_AEAD_SET_TAG, WATCHWORD_SEAL_TAG_BYTES, (void *)(sealed + count)) == 1
      && EVP_DecryptFinal_ex(context, last, &written) == 1;
  EVP_CIPHER_CTX_free(context);
  if (!done) OPENSSL_cleanse(plain, count);
  return done;
}

bool watchword_scrypt(
    const void *passphrase, size_t passphrase_count, const uint8_t *salt, size_t salt_count, uint64_t cost,
    uint32_t block, uint32_t parallelization, uint8_t *key) {
  // What the function needs for these parameters; OpenSSL's own bound is 32 MiB.
  const uint64_t memory = 128 * (uint64_t)block * (cost + parallelization + 2);
  return EVP_PBE_scrypt(
             passphrase, passphrase_count, salt, salt_count, cost, block, parallelization, memory, key,
             WATCHWORD_SEAL_KEY_BYTES)
      == 1;
}

bool watchword_hmac(const void *key, size_t key_count, const void *message, size_t count, uint8_t *code) {
  if (key_count > INT_MAX) return false;
  unsigned int written = 0;
  return HMAC(EVP_sha256(), key, (int)key_count, message, count, code, &written) != NULL
      && written == WATCHWORD_HMAC_BYTES;
}

bool watchword_seal_random(uint8_t *octets, size_t count) {
  return count <= INT_MAX && RAND_priv_bytes(octets, (int)count) == 1;
}
