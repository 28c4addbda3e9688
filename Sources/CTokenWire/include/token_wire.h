#ifndef TOKEN_WIRE_H
#define TOKEN_WIRE_H

// The packets between the daemon and `watchword-pkcs11`, over a pair of SOCK_SEQPACKET sockets. The first byte of a
// packet is its kind, the rest its payload. Both programs come from one build, so there are no versions.

#include <stddef.h>
#include <stdint.h>

enum token_packet {
  /// 1 when a PIN follows, else 0; the PIN's length; the PIN; the URI of the key (RFC 7512). Once for each process.
  TOKEN_OPEN = 'O',
  /// Empty. Answered by a TOKEN_LISTED for each certificate and TOKEN_END.
  TOKEN_LIST = 'L',
  /// A token_scheme, a token_hash, the digest. Answered by TOKEN_SIGNATURE.
  TOKEN_SIGN = 'S',

  /// DER: a certificate with the key's id; sent before the others.
  TOKEN_OWN_CERTIFICATE = 'K',
  /// DER: another certificate of its token. Before TOKEN_READY.
  TOKEN_CERTIFICATE = 'C',
  /// The key is open.
  TOKEN_READY = 'R',
  /// The URI of a certificate, NUL, DER.
  TOKEN_LISTED = 'I',
  TOKEN_END = 'E',
  /// As in PKCS#11: for ECDSA, r and s in the same number of bytes each.
  TOKEN_SIGNATURE = 'G',
  /// A token_fault: why the request failed.
  TOKEN_FAULT = 'F',
};

enum token_scheme { TOKEN_RSA_PKCS1 = 1, TOKEN_RSA_PSS, TOKEN_ECDSA };

enum token_hash { TOKEN_SHA256 = 1, TOKEN_SHA384, TOKEN_SHA512 };

enum token_fault {
  /// No module can be loaded, none has such a token, or the token fails.
  TOKEN_UNAVAILABLE = 1,
  /// Several tokens or keys match the URI. No PIN has been tried on any.
  TOKEN_AMBIGUOUS,
  TOKEN_PIN_NEEDED,
  TOKEN_PIN_WRONG,
  TOKEN_PIN_LOCKED,
  TOKEN_KEY_MISSING,
  /// The URI is malformed.
  TOKEN_URI_MALFORMED,
};

enum {
  /// A certificate with every name of a large host has 8 KiB, an RSA signature of 8,192 bits one.
  token_packet_bytes = 32768,
  token_pin_bytes = 255,
  /// Certificates of one token, or of a list.
  token_maximum_certificates = 256,
  /// Certificates of one key: older ones from before its renewals often remain in the token.
  token_maximum_own_certificates = 16,
};

/// Bytes of a token_hash; 0 for an unknown one.
size_t token_hash_bytes(uint8_t hash);

#endif
