#include "library.h"

#include <curl/curl.h>
#include <stddef.h>
#include <string.h>

/// 7.88.1. Earlier versions were never tested with our protections.
static const unsigned oldest_version = 0x075801;
/// 8.14.1, where the tests do not show the fault any more. Versions between were not tried.
static const unsigned oldest_with_early_responses = 0x080e01;
/// 7.88.1 does not. The later ones that were tried do: 8.14.1.
static const unsigned oldest_that_reads_while_paused = 0x080000;

const char *transport_library_fault(void) {
  const curl_version_info_data *library = curl_version_info(CURLVERSION_NOW);
  if (library->version_num < oldest_version) return "libcurl is older than 7.88.1";
  // Trust, client certificates and the guard are callbacks of OpenSSL.
  if (!library->ssl_version || strncmp(library->ssl_version, "OpenSSL/3", 9) != 0)
    return "libcurl does not use OpenSSL 3";
  if (!(library->features & CURL_VERSION_HTTP2)) return "libcurl does not speak HTTP/2";
  if (!(library->features & CURL_VERSION_ASYNCHDNS)) return "libcurl looks names up without returning";
  return NULL;
}

bool transport_library_reads_while_paused(void) {
  return curl_version_info(CURLVERSION_NOW)->version_num >= oldest_that_reads_while_paused;
}

bool transport_library_loses_early_responses(void) {
  return curl_version_info(CURLVERSION_NOW)->version_num < oldest_with_early_responses;
}
