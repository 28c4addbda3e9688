#include "tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/// What verification needs, for as long as the `SSL_CTX` lives: a TLS 1.2 server may start a second handshake
/// on a connection when the exchange that opened it is long over.
struct connection {
  struct transport_tls_settings settings;
  char host[];
};

static int connection_index = -1;

static void free_connection(
  void *parent, void *pointer, CRYPTO_EX_DATA *data, int index, long argl, void *argp) {
  free(pointer);
}

static void make_indices(void) {
  connection_index = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, free_connection);
}

static int verify(X509_STORE_CTX *chain, void *argument) {
  const struct transport_tls_settings *settings = &((struct connection *)argument)->settings;
  // Somebody else's roots would mean that what is checked here is not what was configured.
  if (X509_STORE_CTX_get0_store(chain) != settings->roots) {
    X509_STORE_CTX_set_error(chain, X509_V_ERR_UNSPECIFIED);
    return 0;
  }
  struct transport_trust_fault faults[TRANSPORT_MAXIMUM_FAULTS];
  int count = transport_evaluate(chain, &settings->rules, faults);
  bool accepted = settings->trust(settings->context, settings->exchange, chain, faults, count);
  int refusal = count ? faults[0].error : X509_V_ERR_APPLICATION_VERIFICATION;
  X509_STORE_CTX_set_error(chain, accepted ? X509_V_OK : refusal);
  return accepted;
}

static int present(SSL *connection, void *argument) {
  const struct transport_tls_settings *settings = &((struct connection *)argument)->settings;
  return settings->certificate(settings->context, settings->exchange, connection) ? 1 : 0;
}

bool transport_tls_install(void *ssl_context, const struct transport_tls_settings *settings) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_indices);
  SSL_CTX *context = ssl_context;
  if (connection_index < 0) return false;
  size_t length = strlen(settings->rules.host) + 1;
  struct connection *connection = malloc(sizeof *connection + length);
  if (!connection) return false;
  connection->settings = *settings;
  memcpy(connection->host, settings->rules.host, length);
  connection->settings.rules.host = connection->host;
  if (!SSL_CTX_set_ex_data(context, connection_index, connection)) {
    free(connection);
    return false;
  }
  // A second handshake would be on behalf of whichever exchange runs then.
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
  // TLS 1.3 has no other key exchanges.
  bool is_strict = (!settings->requires_tls13 || SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION))
    && (!settings->requires_forward_secrecy || SSL_CTX_set_cipher_list(context, "DEFAULT:!kRSA:!PSK"));
  if (!is_strict) return false;
  SSL_CTX_set_post_handshake_auth(context, 0);
  SSL_CTX_set1_cert_store(context, settings->roots);
  SSL_CTX_set_cert_verify_callback(context, verify, connection);
  SSL_CTX_set_cert_cb(context, present, connection);
  return true;
}
