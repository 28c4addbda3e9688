#ifndef CTRANSPORT_SUFFIX_H
#define CTRANSPORT_SUFFIX_H

#include <stdbool.h>

/// Whether a cookie that `host` sets may be shared by all names below `domain`, which includes `host`: false when the
/// domain is a public suffix or above one (publicsuffix.org; RFC 6265bis §5.7). Both are in lower case, IDNA-encoded.
bool transport_may_share_cookies(const char *domain, const char *host);

#endif
