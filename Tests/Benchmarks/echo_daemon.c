// echo_daemon SOCKET: parses each line with Jansson and answers it with an empty result; it knows nothing else.
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { RECEIVED = 1 << 16 };

struct peer {
  int descriptor;
  size_t held;
  char received[RECEIVED];
};

static int answer(int descriptor, const char *line, size_t length) {
  json_t *message = json_loadb(line, length, 0, NULL);
  json_t *reply = json_pack("{s:s, s:O?, s:{}}", "jsonrpc", "2.0", "id", json_object_get(message, "id"), "result");
  char *text = json_dumps(reply, JSON_COMPACT);
  json_decref(message);
  json_decref(reply);
  if (text == NULL) return -1;
  size_t size = strlen(text);
  text[size] = '\n';  // in the place of the end
  ssize_t written = write(descriptor, text, size + 1);
  free(text);
  return written == (ssize_t)(size + 1) ? 0 : -1;
}

static int serve(struct peer *peer) {
  ssize_t some = read(peer->descriptor, peer->received + peer->held, RECEIVED - peer->held);
  if (some <= 0) return -1;
  char *begin = peer->received, *end = begin + peer->held + some, *line_end;
  for (; (line_end = memchr(begin, '\n', (size_t)(end - begin))) != NULL; begin = line_end + 1)
    if (answer(peer->descriptor, begin, (size_t)(line_end - begin)) != 0) return -1;
  peer->held = (size_t)(end - begin);
  memmove(peer->received, begin, peer->held);
  return 0;
}

int main(int count, char **words) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (count != 2 || strlen(words[1]) >= sizeof address.sun_path) return 2;
  strcpy(address.sun_path, words[1]);
  int listener = socket(AF_UNIX, SOCK_STREAM, 0), poll = epoll_create1(0);
  struct epoll_event interest = {.events = EPOLLIN, .data.ptr = NULL};
  if (bind(listener, (void *)&address, sizeof address) != 0 || listen(listener, 512) != 0 ||
      epoll_ctl(poll, EPOLL_CTL_ADD, listener, &interest) != 0)
    return 1;
  for (;;) {
    struct epoll_event events[64];
    int ready = epoll_wait(poll, events, 64, -1);
    for (int index = 0; index < ready; index++) {
      struct peer *peer = events[index].data.ptr;
      if (peer == NULL) {
        peer = calloc(1, sizeof *peer);
        if (peer == NULL) return 1;
        peer->descriptor = accept(listener, NULL, NULL);
        interest.data.ptr = peer;
        epoll_ctl(poll, EPOLL_CTL_ADD, peer->descriptor, &interest);
      } else if (serve(peer) != 0) {
        close(peer->descriptor);
        free(peer);
      }
    }
  }
}
