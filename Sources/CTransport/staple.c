#include "staple.h"

#include <limits.h>
#include <openssl/ocsp.h>
#include <openssl/x509v3.h>

#include "complexity.h"

enum {
  /// TLS feature `status_request` (RFC 6066 §8).
  status_request = 5,
  /// Seconds by which the clocks of a responder and of this machine may differ.
  clock_tolerance = 300,
  /// Seconds for which a response without an expiry is valid.
  endless_response_age = 7 * 24 * 3600,
  /// Certificates that come with a response; the issuer itself signs a responder's.
  maximum_signers = 8,
};

bool transport_staple_is_insisted_on(X509 *certificate) {
  TLS_FEATURE *features = X509_get_ext_d2i(certificate, NID_tlsfeature, NULL, NULL);
  bool insists = false;
  for (int index = 0; index < sk_ASN1_INTEGER_num(features); index++) {
    insists = insists || ASN1_INTEGER_get(sk_ASN1_INTEGER_value(features, index)) == status_request;
  }
  TLS_FEATURE_free(features);
  return insists;
}

/// Whether the issuer, or a responder that the issuer has authorized, signed the response (RFC 6960 §4.2.2.2).
static bool is_from_issuer(OCSP_BASICRESP *response, X509 *issuer) {
  const STACK_OF(X509) *added = OCSP_resp_get0_certs(response);
  if (sk_X509_num(added) > maximum_signers || transport_costly_key(added) >= 0) return false;
  // The issuer is the only anchor: a root that issues for others is not trusted for this.
  X509_STORE *anchor = X509_STORE_new();
  STACK_OF(X509) *signers = sk_X509_new_null();
  bool is_signed = anchor && signers && sk_X509_push(signers, issuer) && X509_STORE_add_cert(anchor, issuer)
    && X509_STORE_set_flags(anchor, X509_V_FLAG_PARTIAL_CHAIN)
    && OCSP_basic_verify(response, signers, anchor, 0) > 0;
  sk_X509_free(signers);
  X509_STORE_free(anchor);
  return is_signed;
}

static bool is_about(OCSP_SINGLERESP *single, X509 *certificate, X509 *issuer) {
  const OCSP_CERTID *named = OCSP_SINGLERESP_get0_id(single);
  ASN1_OBJECT *algorithm = NULL;
  if (!OCSP_id_get0_info(NULL, &algorithm, NULL, NULL, (OCSP_CERTID *)named)) return false;
  const EVP_MD *hash = EVP_get_digestbyobj(algorithm);
  OCSP_CERTID *own = hash ? OCSP_cert_to_id(hash, certificate, issuer) : NULL;
  bool is_same = own && OCSP_id_cmp(own, named) == 0;
  OCSP_CERTID_free(own);
  return is_same;
}

static int status_in(OCSP_BASICRESP *response, X509 *certificate, X509 *issuer) {
  if (!is_from_issuer(response, issuer)) return X509_V_ERR_OCSP_VERIFY_FAILED;
  int verdict = X509_V_ERR_OCSP_CERT_UNKNOWN;
  for (int index = 0; index < OCSP_resp_count(response); index++) {
    OCSP_SINGLERESP *single = OCSP_resp_get0(response, index);
    if (!is_about(single, certificate, issuer)) continue;
    ASN1_GENERALIZEDTIME *made = NULL, *ends = NULL;
    int status = OCSP_single_get0_status(single, NULL, NULL, &made, &ends);
    // A revoked certificate never becomes good again.
    if (status == V_OCSP_CERTSTATUS_REVOKED) return X509_V_ERR_CERT_REVOKED;
    if (status != V_OCSP_CERTSTATUS_GOOD) continue;
    bool is_current = OCSP_check_validity(made, ends, clock_tolerance, ends ? -1 : endless_response_age);
    verdict = is_current ? X509_V_OK : X509_V_ERR_OCSP_VERIFY_FAILED;
  }
  return verdict;
}

int transport_staple_verify(const unsigned char *bytes, size_t length, X509 *certificate, X509 *issuer) {
  if (length > LONG_MAX) return X509_V_ERR_OCSP_VERIFY_FAILED;
  if (transport_has_costly_curve(bytes, length)) return X509_V_ERR_OCSP_VERIFY_FAILED;
  OCSP_RESPONSE *outer = d2i_OCSP_RESPONSE(NULL, &bytes, (long)length);
  bool is_answer = outer && OCSP_response_status(outer) == OCSP_RESPONSE_STATUS_SUCCESSFUL;
  OCSP_BASICRESP *response = is_answer ? OCSP_response_get1_basic(outer) : NULL;
  int verdict = response ? status_in(response, certificate, issuer) : X509_V_ERR_OCSP_VERIFY_FAILED;
  OCSP_BASICRESP_free(response);
  OCSP_RESPONSE_free(outer);
  return verdict;
}
