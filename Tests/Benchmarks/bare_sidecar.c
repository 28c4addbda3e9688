// bare_sidecar SOCKET: fetches for one caller after the other, a line at a time, with Jansson and libcurl. It has no
// sessions and asks for nothing; a password comes with the URL. It shows what a fetch through another process takes.
#include <curl/curl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { RECEIVED = 1 << 16, BODY = 1 << 20, SENT = 1 << 22 };

static struct {
  size_t length;
  char text[BODY];
} body;

static size_t collect(char *piece, size_t size, size_t count, void *context) {
  (void)context;
  if (size * count > BODY - body.length) return 0;  // which fails the fetch
  memcpy(body.text + body.length, piece, size * count);
  body.length += size * count;
  return size * count;
}

/// The result, or NULL where there is none.
static json_t *fetch(CURL *curl, const char *url) {
  body.length = 0;
  curl_easy_setopt(curl, CURLOPT_URL, url);
  if (curl_easy_perform(curl) != CURLE_OK) return NULL;
  long status = 0;
  const char *last = NULL;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(curl, CURLINFO_EFFECTIVE_URL, &last);
  json_t *headers = json_array();
  for (struct curl_header *one = NULL; (one = curl_easy_nextheader(curl, CURLH_HEADER, -1, one)) != NULL;)
    json_array_append_new(headers, json_pack("[ss]", one->name, one->value));
  return json_pack("{s:i, s:s, s:o, s:{s:s%}}", "status", (int)status, "url", last, "headers", headers, "body", "text",
                   body.text, body.length);
}

static json_t *result_of(CURL *curl, const char *method, json_t *params) {
  if (strcmp(method, "fetch") == 0) return fetch(curl, json_string_value(json_object_get(params, "url")));
  if (strcmp(method, "ping") == 0) return json_object();
  if (strcmp(method, "initialize") == 0) return json_pack("{s:s, s:s}", "name", "bare_sidecar", "protocolVersion", "1");
  return NULL;
}

static char sent[SENT];

static int answer(CURL *curl, int descriptor, const char *line, size_t length) {
  json_t *message = json_loadb(line, length, JSON_REJECT_DUPLICATES, NULL);
  const char *method = json_string_value(json_object_get(message, "method"));
  json_t *result = method ? result_of(curl, method, json_object_get(message, "params")) : NULL;
  const char *member = result ? "result" : "error";
  if (result == NULL) result = json_pack("{s:i, s:s}", "code", -32603, "message", "no result");
  json_t *reply = json_pack("{s:s, s:O?, s:o}", "jsonrpc", "2.0", "id", json_object_get(message, "id"), member, result);
  size_t size = json_dumpb(reply, sent, SENT - 1, JSON_COMPACT);
  json_decref(message);
  json_decref(reply);
  if (size == 0 || size > SENT - 1) return -1;
  sent[size] = '\n';
  return write(descriptor, sent, size + 1) == (ssize_t)(size + 1) ? 0 : -1;
}

/// Answers until the caller hangs up.
static void serve(CURL *curl, int descriptor) {
  static char received[RECEIVED];
  size_t held = 0;
  ssize_t some;
  while ((some = read(descriptor, received + held, RECEIVED - held)) > 0) {
    char *begin = received, *end = begin + held + some, *line_end;
    for (; (line_end = memchr(begin, '\n', (size_t)(end - begin))) != NULL; begin = line_end + 1)
      if (answer(curl, descriptor, begin, (size_t)(line_end - begin)) != 0) return;
    held = (size_t)(end - begin);
    memmove(received, begin, held);
  }
}

int main(int count, char **words) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (count != 2 || strlen(words[1]) >= sizeof address.sun_path) return 2;
  strcpy(address.sun_path, words[1]);
  CURL *curl = curl_easy_init();
  int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  if (curl == NULL || bind(listener, (void *)&address, sizeof address) != 0 || listen(listener, 16) != 0) return 1;
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, collect);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_PROXY, "");  // which looks for none in the environment
  for (int descriptor; (descriptor = accept(listener, NULL, NULL)) >= 0; close(descriptor)) serve(curl, descriptor);
  return 1;
}
