#include "negotiated.h"

#include <openssl/ssl.h>

bool transport_negotiated_on(CURL *easy, struct transport_negotiated *negotiated) {
  struct curl_tlssessioninfo *session = NULL;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session) return false;
  SSL *ssl = session->internals;
  if (session->backend != CURLSSLBACKEND_OPENSSL || !ssl) return false;
  const SSL_CIPHER *cipher = SSL_get_current_cipher(ssl);
  negotiated->version = SSL_version(ssl);
  negotiated->cipher_suite = cipher ? SSL_CIPHER_standard_name(cipher) : NULL;
  negotiated->leaf = SSL_get0_peer_certificate(ssl);
  return true;
}
