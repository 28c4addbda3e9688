#ifndef SECURITY_CREDENTIAL_H
#define SECURITY_CREDENTIAL_H

#include <pthread.h>
#include <time.h>

#include "library.h"

struct security_credential {
  pthread_mutex_t lock;
  /// The name of a cache that the credential owns; null until there is one, and for named caches.
  char *private_cache;
  /// The memory file behind contents that were given as bytes; -1 without.
  int contents;
  /// When the tickets in the private cache end; the time of the realm's server.
  time_t end;
  /// What user and password of NTLM were made into, for each mechanism; made once.
  gss_cred_id_t ntlm[2];
};

/// Makes sure that there are tickets. `cache` is the name of the cache that holds them, freed by the caller; null for
/// the default one.
enum security_result security_credential_prepare(
  struct security_credential *credential, const struct security_source *source, char **cache);

/// Gets the ticket for the server into the cache, so that its failure has an exact reason. `name` is the server's
/// principal, freed by the caller.
enum security_result security_credential_get_ticket(
  const char *cache, const char *host, bool renews, char **name);

/// User and password for NTLM, alone or inside a negotiation. `acquired` belongs to the credential.
enum security_result security_credential_acquire_ntlm(
  struct security_credential *credential, const struct security_source *source, gss_cred_id_t *acquired);

bool security_import_name(const char *text, const gss_OID_desc *type, gss_name_t *name);

/// Allows only this mechanism inside a negotiation.
bool security_restrict_mechanisms(gss_cred_id_t credential, const gss_OID_desc *mechanism);

#endif
