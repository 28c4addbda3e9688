#ifndef SECURITY_LIBRARY_H
#define SECURITY_LIBRARY_H

#include <gssapi/gssapi.h>
#include <gssapi/gssapi_ext.h>
#include <gssapi/gssapi_krb5.h>
#include <krb5/krb5.h>

#include "security.h"

/// The functions that are used of libgssapi_krb5 and libkrb5.
#define SECURITY_FUNCTIONS(use) \
  use(gss_acquire_cred_from) \
  use(gss_delete_sec_context) \
  use(gss_import_name) \
  use(gss_indicate_mechs) \
  use(gss_init_sec_context) \
  use(gss_inquire_context) \
  use(gss_inquire_sec_context_by_oid) \
  use(gss_release_buffer) \
  use(gss_release_buffer_set) \
  use(gss_release_cred) \
  use(gss_release_name) \
  use(gss_release_oid_set) \
  use(gss_set_neg_mechs) \
  use(gss_test_oid_set_member)

#define SECURITY_KERBEROS_FUNCTIONS(use) \
  use(krb5_cc_close) \
  use(krb5_cc_remove_cred) \
  use(krb5_cc_default) \
  use(krb5_cc_destroy) \
  use(krb5_cc_get_full_name) \
  use(krb5_cc_get_principal) \
  use(krb5_cc_initialize) \
  use(krb5_cc_new_unique) \
  use(krb5_cc_resolve) \
  use(krb5_cc_store_cred) \
  use(krb5_free_context) \
  use(krb5_free_cred_contents) \
  use(krb5_free_creds) \
  use(krb5_free_host_realm) \
  use(krb5_free_principal) \
  use(krb5_free_unparsed_name) \
  use(krb5_get_credentials) \
  use(krb5_get_host_realm) \
  use(krb5_get_init_creds_keytab) \
  use(krb5_get_init_creds_opt_alloc) \
  use(krb5_get_init_creds_opt_free) \
  use(krb5_get_init_creds_password) \
  use(krb5_init_context) \
  use(krb5_kt_close) \
  use(krb5_kt_resolve) \
  use(krb5_parse_name) \
  use(krb5_unparse_name)

#define SECURITY_DECLARE(name) __typeof__(&name) name##_;
struct security_library {
  SECURITY_FUNCTIONS(SECURITY_DECLARE)
  SECURITY_KERBEROS_FUNCTIONS(SECURITY_DECLARE)
  bool is_loaded;
  bool has_ntlm;
};
#undef SECURITY_DECLARE

/// Loaded at the first call.
const struct security_library *security_library(void);

extern const gss_OID_desc security_oid_spnego;
extern const gss_OID_desc security_oid_kerberos;
extern const gss_OID_desc security_oid_ntlm;
/// What SPNEGO inquires of NTLM, which then protects the three messages with a MIC.
extern const gss_OID_desc security_oid_ntlm_mic;
/// A principal's name with its realm, which is not looked up in the DNS.
extern const gss_OID_desc security_oid_principal_name;
extern const gss_OID_desc security_oid_user_name;
extern const gss_OID_desc security_oid_service_name;

bool security_oid_equals(const gss_OID_desc *left, const gss_OID_desc *right);

/// The meaning of an error of libkrb5.
enum security_result security_kerberos_fault(krb5_error_code code);

#endif
