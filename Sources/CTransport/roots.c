#include <dirent.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "complexity.h"
#include "pem.h"
#include "revocation.h"
#include "tls.h"

/// Bundles of distributions whose OpenSSL has an empty default directory.
static const char *const bundles[] = {
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
};

/// Whether a directory has certificates named by their hashes.
static bool is_hashed(const char *path) {
  DIR *directory = opendir(path);
  if (!directory) return false;
  const struct dirent *entry;
  bool found = false;
  while (!found && (entry = readdir(directory))) {
    size_t length = strlen(entry->d_name);
    found = length == 10 && strcmp(entry->d_name + 8, ".0") == 0;
  }
  closedir(directory);
  return found;
}

/// A hashed directory is searched when a root is needed: 140 roots are not read (25 ms, 3 MiB) to use one.
bool transport_roots_add_system(X509_STORE *store) {
  // The environment of this process names other roots.
  if (getenv(X509_get_default_cert_file_env()) || getenv(X509_get_default_cert_dir_env())) {
    return X509_STORE_set_default_paths(store);
  }
  if (is_hashed(X509_get_default_cert_dir())) return X509_STORE_load_path(store, X509_get_default_cert_dir());
  if (access(X509_get_default_cert_file(), R_OK) == 0) return X509_STORE_set_default_paths(store);
  for (size_t index = 0; index < sizeof bundles / sizeof *bundles; index++) {
    if (access(bundles[index], R_OK) == 0) return X509_STORE_load_file(store, bundles[index]);
  }
  return true;
}

/// Null at the end of the text, or for what is no certificate or costs too much to read.
static X509 *read_certificate(BIO *text) {
  unsigned char *bytes = NULL;
  long length = 0;
  if (!PEM_bytes_read_bio(&bytes, &length, NULL, PEM_STRING_X509, text, NULL, NULL)) return NULL;
  const unsigned char *position = bytes;
  bool is_costly = length <= 0 || transport_has_costly_curve(bytes, (size_t)length);
  X509 *certificate = is_costly ? NULL : d2i_X509(NULL, &position, length);
  if (is_costly) ERR_raise(ERR_LIB_PEM, ERR_R_UNSUPPORTED);
  OPENSSL_free(bytes);
  return certificate;
}

/// Whether reading has come to the end of the text: OpenSSL reports that as a missing start line.
static bool has_ended(void) { return ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE; }

/// Adds every certificate of `pem` to the count; false when there is none, or are too many, or one cannot be read.
static bool add_text(X509_STORE *store, const char *pem, size_t length, int *count) {
  BIO *text = transport_pem_text(pem, length);
  if (!text) return false;
  bool added = true;
  int before = *count;
  X509 *certificate;
  while (added && (certificate = read_certificate(text))) {
    added = ++*count - before <= transport_roots_maximum && X509_STORE_add_cert(store, certificate);
    X509_free(certificate);
  }
  bool ended = has_ended();
  BIO_free(text);
  return added && ended && *count > before;
}

bool transport_roots_add(X509_STORE *store, const char *pem, size_t length, int *count) {
  ERR_clear_error();
  bool added = add_text(store, pem, length, count);
  ERR_clear_error();
  return added;
}

STACK_OF(X509) *transport_roots_read(const char *pem, size_t length, int maximum, bool *is_whole) {
  ERR_clear_error();
  STACK_OF(X509) *certificates = sk_X509_new_null();
  BIO *text = certificates ? transport_pem_text(pem, length) : NULL;
  bool kept = text;
  X509 *certificate;
  while (kept && sk_X509_num(certificates) <= maximum && (certificate = read_certificate(text))) {
    kept = sk_X509_push(certificates, certificate);
    if (!kept) X509_free(certificate);
  }
  *is_whole = kept && (sk_X509_num(certificates) > maximum || has_ended());
  BIO_free(text);
  ERR_clear_error();
  if (kept) return certificates;
  transport_roots_release(certificates);
  return NULL;
}

int transport_roots_count(const STACK_OF(X509) *certificates) { return sk_X509_num(certificates); }

X509 *transport_roots_at(const STACK_OF(X509) *certificates, int index) {
  return sk_X509_value(certificates, index);
}

void transport_roots_release(STACK_OF(X509) *certificates) { sk_X509_pop_free(certificates, X509_free); }

bool transport_is_authority(X509 *certificate) { return X509_check_ca(certificate) == 1; }

/// Whether the list names few enough places that it is to be found in.
static bool has_few_places(X509_CRL *list) {
  ISSUING_DIST_POINT *scope = X509_CRL_get_ext_d2i(list, NID_issuing_distribution_point, NULL, NULL);
  bool is_of_names = scope && scope->distpoint && scope->distpoint->type == 0;
  int count = is_of_names ? sk_GENERAL_NAME_num(scope->distpoint->name.fullname) : 0;
  ISSUING_DIST_POINT_free(scope);
  return count <= transport_list_places_maximum;
}

bool transport_roots_add_revocation_lists(X509_STORE *store, const char *pem, size_t length) {
  ERR_clear_error();
  BIO *text = transport_pem_text(pem, length);
  if (!text) return false;
  int count = 0;
  bool added = true;
  X509_CRL *list;
  while (added && (list = PEM_read_bio_X509_CRL(text, NULL, NULL, NULL))) {
    added = ++count <= transport_lists_maximum && has_few_places(list) && X509_STORE_add_crl(store, list);
    X509_CRL_free(list);
  }
  bool ended = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  BIO_free(text);
  ERR_clear_error();
  return added && ended && count > 0 && transport_check_revocation_bounded(store)
    && X509_STORE_set_flags(store, X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL);
}

X509_STORE *transport_roots_make(const char *pem, size_t length, int *count) {
  *count = 0;
  ERR_clear_error();
  X509_STORE *store = X509_STORE_new();
  if (!store) return NULL;
  // A configured intermediate is an anchor too, as in curl.
  bool made = X509_STORE_set_flags(store, X509_V_FLAG_TRUSTED_FIRST | X509_V_FLAG_PARTIAL_CHAIN)
    && (!pem || add_text(store, pem, length, count));
  ERR_clear_error();
  if (made) return store;
  X509_STORE_free(store);
  return NULL;
}

void transport_roots_free(X509_STORE *roots) {
  X509_STORE_free(roots);
}
