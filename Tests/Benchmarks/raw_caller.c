// raw_caller SOCKET CONNECTIONS WINDOW COUNT REQUEST EXPECTED
//
// Sends COUNT requests over CONNECTIONS connections with WINDOW in flight on each, from one thread, and prints the
// seconds from the first byte to the last as JSON; with a window of 1 the median latency as well. REQUEST is a
// message without its opening `{"jsonrpc":"2.0","id":N,` and its closing brace; a reply without EXPECTED is an error.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { RECEIVED = 1 << 18, PATIENCE_MILLISECONDS = 30000 };

struct connection {
  int descriptor;
  size_t held;
  double sent_at;
  char received[RECEIVED];
};

static const char *request, *expected;
static long left, next_identifier;
static char *outgoing;
static size_t message_room;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void fail(const char *what) {
  fprintf(stderr, "raw_caller: %s\n", what);
  exit(1);
}

static int by_size(const void *one, const void *other) {
  double a = *(const double *)one, b = *(const double *)other;
  return (a > b) - (a < b);
}

static int connect_to(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) fail("the socket's name is too long");
  strcpy(address.sun_path, path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  if (descriptor < 0 || connect(descriptor, (void *)&address, sizeof address) != 0) fail("cannot connect");
  return descriptor;
}

/// Writes so many requests at once, as far as there are any left.
static void send_requests(struct connection *connection, long count) {
  size_t length = 0;
  for (; count > 0 && left > 0; count--, left--)
    length += (size_t)snprintf(outgoing + length, message_room, "{\"jsonrpc\":\"2.0\",\"id\":%ld,%s}\n",
                               ++next_identifier, request);
  connection->sent_at = now();
  for (size_t written = 0; written < length;) {
    ssize_t some = write(connection->descriptor, outgoing + written, length - written);
    if (some <= 0) fail("the daemon does not read");
    written += (size_t)some;
  }
}

/// Reads what there is and returns how many replies came to their end.
static long receive_replies(struct connection *connection) {
  ssize_t some = read(connection->descriptor, connection->received + connection->held, RECEIVED - connection->held);
  if (some <= 0) fail("the daemon closed the connection, or a reply is too long");
  char *begin = connection->received, *end = begin + connection->held + some, *line_end;
  long replies = 0;
  for (; (line_end = memchr(begin, '\n', (size_t)(end - begin))) != NULL; begin = line_end + 1, replies++) {
    if (memmem(begin, (size_t)(line_end - begin), expected, strlen(expected)) == NULL) {
      fprintf(stderr, "raw_caller: not what was expected: %.*s\n", (int)(line_end - begin), begin);
      exit(1);
    }
  }
  connection->held = (size_t)(end - begin);
  memmove(connection->received, begin, connection->held);
  return replies;
}

int main(int count, char **words) {
  if (count != 7) fail("usage: raw_caller SOCKET CONNECTIONS WINDOW COUNT REQUEST EXPECTED");
  long connections = atol(words[2]), window = atol(words[3]), total = atol(words[4]), latencies = 0;
  request = words[5], expected = words[6], left = total;
  message_room = strlen(request) + 64;
  outgoing = malloc(message_room * (size_t)window);
  double *latency = malloc(sizeof(double) * (size_t)total);
  struct connection *all = calloc((size_t)connections, sizeof *all);
  int poll = epoll_create1(0);
  if (connections < 1 || window < 1 || total < 1 || !outgoing || !latency || !all || poll < 0) fail("cannot start");
  for (long index = 0; index < connections; index++) {
    all[index].descriptor = connect_to(words[1]);
    struct epoll_event interest = {.events = EPOLLIN, .data.ptr = &all[index]};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, all[index].descriptor, &interest) != 0) fail("cannot watch");
  }
  double began = now();
  for (long index = 0; index < connections && left > 0; index++) send_requests(&all[index], window);
  for (long done = 0; done < total;) {
    struct epoll_event events[64];
    int ready = epoll_wait(poll, events, 64, PATIENCE_MILLISECONDS);
    if (ready <= 0) fail("the daemon does not answer");
    for (int index = 0; index < ready; index++) {
      struct connection *connection = events[index].data.ptr;
      long replies = receive_replies(connection);
      if (window == 1 && replies == 1) latency[latencies++] = now() - connection->sent_at;
      done += replies;
      if (replies > 0 && left > 0) send_requests(connection, replies);
    }
  }
  printf("{\"seconds\": %.9f", now() - began);
  if (latencies > 0) {
    qsort(latency, (size_t)latencies, sizeof *latency, by_size);
    printf(", \"p50\": %.9f", latency[latencies / 2]);
  }
  printf("}\n");
  return 0;
}
