// Stands before libcurl and says that it is another one: the version and TLS library that the environment names.

#include <curl/curl.h>
#include <stdlib.h>

curl_version_info_data *curl_version_info(CURLversion age) {
  static curl_version_info_data data;
  data.age = CURLVERSION_NOW;
  data.version_num = (unsigned)strtoul(getenv("CLAIMED_VERSION"), NULL, 16);
  data.ssl_version = getenv("CLAIMED_TLS");
  data.features = (int)strtoul(getenv("CLAIMED_FEATURES"), NULL, 16);
  return &data;
}
