#define _GNU_SOURCE
#include "CLinux.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Of an environment; the mark is at its beginning or not far behind.
enum { environment_limit = 1024 * 1024, rounds = 16 };

// `size` counts the zero octet at the end of the mark.
static int holds(const char *text, size_t count, const char *mark, size_t size) {
  for (const char *at = text; at + size <= text + count;) {
    if (memcmp(at, mark, size) == 0) return 1;
    const char *end = memchr(at, '\0', (size_t)(text + count - at));
    if (end == NULL) return 0;
    at = end + 1;
  }
  return 0;
}

// Whether the mark is a variable in the environment of the process. `buffer` has room for its limit.
static int is_marked(int proc, const char *pid, const char *mark, char *buffer) {
  char path[64];
  if (snprintf(path, sizeof path, "%s/environ", pid) >= (int)sizeof path) return 0;
  int file = openat(proc, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  size_t count = 0;
  ssize_t got;
  while (count < environment_limit && (got = read(file, buffer + count, environment_limit - count)) > 0)
    count += (size_t)got;
  close(file);
  return holds(buffer, count, mark, strlen(mark) + 1);
}

// The handle is taken before the process is looked at: it never means another one.
static int end_if_marked(int proc, const char *pid, const char *mark, char *buffer) {
  int handle = (int)syscall(SYS_pidfd_open, (pid_t)strtol(pid, NULL, 10), 0);
  if (handle < 0) return 0;
  int ended = is_marked(proc, pid, mark, buffer) && syscall(SYS_pidfd_send_signal, handle, SIGKILL, NULL, 0) == 0;
  close(handle);
  return ended;
}

static int end_marked_once(const char *mark, char *buffer) {
  DIR *proc = opendir("/proc");
  if (proc == NULL) return 0;
  int ended = 0;
  for (struct dirent *entry; (entry = readdir(proc)) != NULL;) {
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
    ended += end_if_marked(dirfd(proc), entry->d_name, mark, buffer);
  }
  closedir(proc);
  return ended;
}

void clinux_end_marked(const char *mark) {
  char *buffer = malloc(environment_limit);
  if (buffer == NULL) return;
  // One that was just being started has its parent's mark.
  for (int round = 0; round < rounds && end_marked_once(mark, buffer) > 0; round++) continue;
  free(buffer);
}
