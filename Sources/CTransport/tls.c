#include "tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/// What verification needs, for as long as the `SSL_CTX` lives: a TLS 1.2 server may start a second handshake
/// on a connection when the exchange that opened it is long over.
struct connection {
  struct transport_tls_settings settings;
  char host[];
};

enum {
  /// More faults of one chain than anybody reads; chains are at most 100 certificates deep.
  maximum_faults = 32,
};

struct faults {
  struct transport_trust_fault list[maximum_faults];
  int count;
};

static int connection_index = -1;
static int faults_index = -1;

static void free_connection(
  void *parent, void *pointer, CRYPTO_EX_DATA *data, int index, long argl, void *argp) {
  free(pointer);
}

static void make_indices(void) {
  connection_index = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, free_connection);
  faults_index = X509_STORE_CTX_get_ex_new_index(0, NULL, NULL, NULL, NULL);
}

static void add_fault(struct faults *faults, int error, int depth) {
  for (int index = 0; index < faults->count; index++) {
    if (faults->list[index].error == error && faults->list[index].depth == depth) return;
  }
  if (faults->count == maximum_faults) return;
  faults->list[faults->count++] = (struct transport_trust_fault){error, depth};
}

/// Notes every fault and goes on, so that all the reasons are known and not the first only.
static int note(int ok, X509_STORE_CTX *chain) {
  struct faults *faults = X509_STORE_CTX_get_ex_data(chain, faults_index);
  if (ok || !faults) return 1;
  add_fault(faults, X509_STORE_CTX_get_error(chain), X509_STORE_CTX_get_error_depth(chain));
  return 1;
}

static bool set_name(X509_VERIFY_PARAM *parameters, const struct transport_tls_settings *settings) {
  // A common name is not a host name (RFC 9525 §2).
  X509_VERIFY_PARAM_set_hostflags(
    parameters, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  if (settings->host_is_address) return X509_VERIFY_PARAM_set1_ip_asc(parameters, settings->host);
  size_t length = strlen(settings->host);
  if (length > 1 && settings->host[length - 1] == '.') length--;
  return X509_VERIFY_PARAM_set1_host(parameters, settings->host, length);
}

static int verify(X509_STORE_CTX *chain, void *argument) {
  const struct transport_tls_settings *settings = &((struct connection *)argument)->settings;
  struct faults faults = {.count = 0};
  // Somebody else's roots would mean that what is checked here is not what was configured.
  bool ready = X509_STORE_CTX_get0_store(chain) == settings->roots
    && X509_STORE_CTX_set_ex_data(chain, faults_index, &faults)
    && set_name(X509_STORE_CTX_get0_param(chain), settings);
  if (!ready) {
    X509_STORE_CTX_set_error(chain, X509_V_ERR_UNSPECIFIED);
    return 0;
  }
  X509_STORE_CTX_set_verify_cb(chain, note);
  if (X509_verify_cert(chain) <= 0) {
    int error = X509_STORE_CTX_get_error(chain);
    int depth = X509_STORE_CTX_get_error_depth(chain);
    add_fault(&faults, error == X509_V_OK ? X509_V_ERR_UNSPECIFIED : error, depth);
  }
  X509_STORE_CTX_set_ex_data(chain, faults_index, NULL);
  bool accepted = settings->trust(settings->context, settings->exchange, chain, faults.list, faults.count);
  int refusal = faults.count ? faults.list[0].error : X509_V_ERR_APPLICATION_VERIFICATION;
  X509_STORE_CTX_set_error(chain, accepted ? X509_V_OK : refusal);
  return accepted;
}

bool transport_tls_install(void *ssl_context, const struct transport_tls_settings *settings) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_indices);
  SSL_CTX *context = ssl_context;
  if (connection_index < 0 || faults_index < 0) return false;
  size_t length = strlen(settings->host) + 1;
  struct connection *connection = malloc(sizeof *connection + length);
  if (!connection) return false;
  connection->settings = *settings;
  memcpy(connection->host, settings->host, length);
  connection->settings.host = connection->host;
  if (!SSL_CTX_set_ex_data(context, connection_index, connection)) {
    free(connection);
    return false;
  }
  SSL_CTX_set1_cert_store(context, settings->roots);
  SSL_CTX_set_cert_verify_callback(context, verify, connection);
  return true;
}
