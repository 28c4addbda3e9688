#include "evaluation.h"

#include <openssl/x509v3.h>
#include <pthread.h>
#include <string.h>

struct faults {
  struct transport_trust_fault *list;
  int count;
};

static int faults_index = -1;

static void make_index(void) {
  faults_index = X509_STORE_CTX_get_ex_new_index(0, NULL, NULL, NULL, NULL);
}

static void add_fault(struct faults *faults, int error, int depth) {
  for (int index = 0; index < faults->count; index++) {
    if (faults->list[index].error == error && faults->list[index].depth == depth) return;
  }
  if (faults->count == TRANSPORT_MAXIMUM_FAULTS) return;
  faults->list[faults->count++] = (struct transport_trust_fault){error, depth};
}

/// Notes every fault and goes on, so that all the reasons are known and not the first only.
static int note(int ok, X509_STORE_CTX *chain) {
  struct faults *faults = X509_STORE_CTX_get_ex_data(chain, faults_index);
  if (ok || !faults) return 1;
  add_fault(faults, X509_STORE_CTX_get_error(chain), X509_STORE_CTX_get_error_depth(chain));
  return 1;
}

static bool set_name(X509_VERIFY_PARAM *parameters, const struct transport_evaluation *rules) {
  // A common name is not a host name (RFC 9525 §2).
  X509_VERIFY_PARAM_set_hostflags(
    parameters, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  if (rules->host_is_address) return X509_VERIFY_PARAM_set1_ip_asc(parameters, rules->host);
  size_t length = strlen(rules->host);
  if (length > 1 && rules->host[length - 1] == '.') length--;
  return X509_VERIFY_PARAM_set1_host(parameters, rules->host, length);
}

int transport_evaluate(
  X509_STORE_CTX *chain, const struct transport_evaluation *rules, struct transport_trust_fault *list) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_index);
  struct faults faults = {.list = list};
  bool ready = faults_index >= 0 && X509_STORE_CTX_set_ex_data(chain, faults_index, &faults)
    && set_name(X509_STORE_CTX_get0_param(chain), rules);
  if (!ready) {
    add_fault(&faults, X509_V_ERR_UNSPECIFIED, 0);
    return faults.count;
  }
  X509_STORE_CTX_set_verify_cb(chain, note);
  if (X509_verify_cert(chain) <= 0) {
    int error = X509_STORE_CTX_get_error(chain);
    int depth = X509_STORE_CTX_get_error_depth(chain);
    add_fault(&faults, error == X509_V_OK ? X509_V_ERR_UNSPECIFIED : error, depth);
  }
  X509_STORE_CTX_set_ex_data(chain, faults_index, NULL);
  return faults.count;
}
