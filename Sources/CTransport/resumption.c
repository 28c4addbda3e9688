#include "resumption.h"

#include <stdlib.h>

#include "certificate.h"

struct transport_resumption {
  unsigned references;
  STACK_OF(X509) *chain;
  SSL_SESSION *session;
};

struct transport_resumption *transport_resumption_make(void) {
  struct transport_resumption *resumption = calloc(1, sizeof *resumption);
  if (resumption) resumption->references = 1;
  return resumption;
}

struct transport_resumption *transport_resumption_retain(struct transport_resumption *resumption) {
  resumption->references++;
  return resumption;
}

void transport_resumption_release(struct transport_resumption *resumption) {
  if (!resumption || --resumption->references > 0) return;
  transport_chain_free(resumption->chain);
  SSL_SESSION_free(resumption->session);
  free(resumption);
}

void transport_resumption_accept(struct transport_resumption *resumption, X509_STORE_CTX *chain) {
  transport_chain_free(resumption->chain);
  resumption->chain = transport_presented_copy(chain);
}

STACK_OF(X509) *transport_resumption_chain(const struct transport_resumption *resumption) {
  return resumption->chain;
}

void transport_resumption_keep(struct transport_resumption *resumption, SSL_SESSION *session) {
  SSL_SESSION_free(resumption->session);
  resumption->session = session;
}

SSL_SESSION *transport_resumption_session(const struct transport_resumption *resumption) {
  SSL_SESSION *session = resumption->session;
  return session && SSL_SESSION_is_resumable(session) ? session : NULL;
}
