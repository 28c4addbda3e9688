#include "end_point.h"

#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

size_t transport_server_end_point(CURL *easy, uint8_t *target) {
  struct curl_tlssessioninfo *session = NULL;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session || !session->internals) return 0;
  X509 *leaf = SSL_get0_peer_certificate(session->internals);
  int digest = NID_undef;
  if (!leaf || !X509_get_signature_info(leaf, &digest, NULL, NULL, NULL)) return 0;
  // Signatures without a hash of their own have none that is defined; SHA-256 is what others use.
  if (digest == NID_undef || digest == NID_md5 || digest == NID_sha1) digest = NID_sha256;
  const EVP_MD *hash = EVP_get_digestbynid(digest);
  unsigned count = 0;
  return hash && X509_digest(leaf, hash, target, &count) ? count : 0;
}
