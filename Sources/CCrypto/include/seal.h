#ifndef CRYPTO_SEAL_H
#define CRYPTO_SEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Sealing with AES-256-GCM (NIST SP 800-38D) and keys from passphrases with scrypt (RFC 7914), through OpenSSL's EVP.
#define WATCHWORD_SEAL_KEY_BYTES 32
#define WATCHWORD_SEAL_NONCE_BYTES 12
#define WATCHWORD_SEAL_TAG_BYTES 16

/// Writes `count` octets of ciphertext and then the tag. A nonce is used once with a key. Returns false when OpenSSL
/// has no AES-256-GCM or no memory.
bool watchword_seal(
    const uint8_t *_Nonnull key, const uint8_t *_Nonnull nonce, const void *_Nullable associated,
    size_t associated_count, const void *_Nullable plain, size_t count, uint8_t *_Nonnull sealed);

/// Opens `count` octets of ciphertext with the tag behind them. Returns false, and wipes `plain`, unless key, nonce,
/// associated data and ciphertext are those of watchword_seal.
bool watchword_open_seal(
    const uint8_t *_Nonnull key, const uint8_t *_Nonnull nonce, const void *_Nullable associated,
    size_t associated_count, const uint8_t *_Nonnull sealed, size_t count, uint8_t *_Nonnull plain);

/// Derives a key of WATCHWORD_SEAL_KEY_BYTES octets; 128 · cost · block octets of memory. The caller bounds the
/// parameters. Returns false when they are invalid or there is no memory.
bool watchword_scrypt(
    const void *_Nullable passphrase, size_t passphrase_count, const uint8_t *_Nonnull salt, size_t salt_count,
    uint64_t cost, uint32_t block, uint32_t parallelization, uint8_t *_Nonnull key);

#define WATCHWORD_HMAC_BYTES 32

/// HMAC-SHA-256 (RFC 2104), WATCHWORD_HMAC_BYTES octets. Returns false when OpenSSL has no SHA-256 or no memory.
bool watchword_hmac(
    const void *_Nonnull key, size_t key_count, const void *_Nullable message, size_t count,
    uint8_t *_Nonnull code);

/// Fills the buffer with octets of OpenSSL's private generator; false when it has no entropy.
bool watchword_seal_random(uint8_t *_Nonnull octets, size_t count);

#endif
