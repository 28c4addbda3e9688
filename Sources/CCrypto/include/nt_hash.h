#ifndef CRYPTO_NT_HASH_H
#define CRYPTO_NT_HASH_H

#include <stdbool.h>

enum { watchword_nt_hash_text = 33 };

/// The NT hash of a password (NTOWFv1 of [MS-NLMP] 3.3.1): MD4 over its UTF-16LE, in hexadecimal digits with NUL.
/// False when the password is not UTF-8, or there is no memory; `text` is as secret as the password.
bool watchword_nt_hash(const char *password, char text[watchword_nt_hash_text]);

#endif
