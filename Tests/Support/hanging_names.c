// Name servers that do not answer: looking up a name that begins with "hung" waits until the FIFO in the variable HUNG_NAMES
// has a writer, and finds nothing.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int (*finder)(const char *, const char *, const struct addrinfo *, struct addrinfo **);

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
  if (name && !strncmp(name, "hung", 4)) {
    int reader = open(getenv("HUNG_NAMES"), O_RDONLY);
    if (reader >= 0) close(reader);
    return EAI_NONAME;
  }
  return ((finder)dlsym(RTLD_NEXT, "getaddrinfo"))(name, service, hints, found);
}
