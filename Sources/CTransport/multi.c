#include "multi.h"

CURLMcode transport_multi_set_callbacks(
  CURLM *multi, transport_socket_function socket, transport_timer_function timer, void *context) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
  if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
  if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
  return code;
}

bool transport_multi_next_finished(CURLM *multi, CURL **easy, void **exchange, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    char *private = NULL;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &private);
    *easy = message->easy_handle;
    *exchange = private;
    *result = message->data.result;
    return true;
  }
  return false;
}
