// Files on a file system that hangs: a FIFO whose name begins with "hung" blocks a program that opens it, until a writer comes.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>

typedef int (*opener)(const char *, int, ...);

static int open_blocking(const char *name, const char *path, int flags, int mode) {
  const char *last = strrchr(path, '/');
  if (last && !strncmp(last, "/hung", 5)) flags &= ~O_NONBLOCK;
  return ((opener)dlsym(RTLD_NEXT, name))(path, flags, mode);
}

#define OPEN(NAME)                                \
  int NAME(const char *path, int flags, ...) {    \
    va_list rest;                                 \
    va_start(rest, flags);                        \
    int mode = va_arg(rest, int);                 \
    va_end(rest);                                 \
    return open_blocking(#NAME, path, flags, mode); \
  }

OPEN(open)
OPEN(open64)
