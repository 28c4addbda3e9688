#ifndef CTRANSPORT_MEMORY_H
#define CTRANSPORT_MEMORY_H

#include <curl/curl.h>

/// `curl_global_init` with memory that is wiped when libcurl frees it, because it holds requests with an
/// `Authorization`.
CURLcode transport_global_init(void);

#endif
