#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

int caller_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

void caller_enlarge_pipe(int descriptor, int bytes) { (void)fcntl(descriptor, F_SETPIPE_SZ, bytes); }

ssize_t caller_splice(int from, int to, size_t count) {
  return splice(from, NULL, to, NULL, count, SPLICE_F_MOVE);
}

int caller_wait(int first, int second, int milliseconds, const sigset_t *signals) {
  struct pollfd watched[2] = {{.fd = first, .events = POLLIN}, {.fd = second, .events = POLLIN}};
  struct timespec timeout = {.tv_sec = milliseconds / 1000, .tv_nsec = (long)(milliseconds % 1000) * 1000000};
  int ready = ppoll(watched, 2, milliseconds < 0 ? NULL : &timeout, signals);
  if (ready <= 0) return ready;
  return (watched[0].revents ? 1 : 0) | (watched[1].revents ? 2 : 0);
}

struct caller_window caller_window(int descriptor) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return (struct caller_window){0, 0};
  return (struct caller_window){.columns = size.ws_col, .rows = size.ws_row};
}

int caller_is_null_device(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3);
}

ssize_t caller_get_attribute(const char *path, const char *name, char *value, size_t size) {
  return getxattr(path, name, value, size);
}

int caller_set_attribute(int descriptor, const char *name, const char *value, size_t size) {
  return fsetxattr(descriptor, name, value, size, 0);
}

int caller_next_signal(int descriptor, int *is_of_kernel) {
  struct signalfd_siginfo information;
  if (read(descriptor, &information, sizeof information) != (ssize_t)sizeof information) return 0;
  *is_of_kernel = information.ssi_code == SI_KERNEL;
  return (int)information.ssi_signo;
}
