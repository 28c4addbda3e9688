#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

extern char **environ;

int caller_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

void caller_enlarge_pipe(int descriptor, int bytes) { (void)fcntl(descriptor, F_SETPIPE_SZ, bytes); }

ssize_t caller_splice(int from, int to, size_t count) {
  return splice(from, NULL, to, NULL, count, SPLICE_F_MOVE);
}

pid_t caller_spawn(const char *path, char *const arguments[], int output, int detached) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  pid_t pid = -1;
  int reason = posix_spawn_file_actions_init(&actions);
  if (reason != 0) goto failed;
  reason = posix_spawnattr_init(&attributes);
  if (reason != 0) goto free_actions;

  if (detached || output < 0) reason = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (reason == 0 && output >= 0) reason = posix_spawn_file_actions_adddup2(&actions, output, 1);
  if (reason == 0 && output < 0) reason = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  if (reason == 0 && detached) reason = posix_spawn_file_actions_adddup2(&actions, 1, 2);
  if (reason == 0) reason = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  if (reason == 0 && detached) reason = posix_spawn_file_actions_addchdir_np(&actions, "/");

  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  if (reason == 0) reason = posix_spawnattr_setsigmask(&attributes, &none);
  if (reason == 0) reason = posix_spawnattr_setsigdefault(&attributes, &all);
  short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (detached ? POSIX_SPAWN_SETSID : 0);
  if (reason == 0) reason = posix_spawnattr_setflags(&attributes, flags);
  if (reason == 0) reason = posix_spawn(&pid, path, &actions, &attributes, arguments, environ);

  posix_spawnattr_destroy(&attributes);
free_actions:
  posix_spawn_file_actions_destroy(&actions);
failed:
  if (reason == 0) return pid;
  errno = reason;
  return -1;
}

int caller_wait(int first, int second, int milliseconds, const sigset_t *signals) {
  struct pollfd watched[2] = {{.fd = first, .events = POLLIN}, {.fd = second, .events = POLLIN}};
  struct timespec timeout = {.tv_sec = milliseconds / 1000, .tv_nsec = (long)(milliseconds % 1000) * 1000000};
  int ready = ppoll(watched, 2, milliseconds < 0 ? NULL : &timeout, signals);
  if (ready <= 0) return ready;
  return (watched[0].revents ? 1 : 0) | (watched[1].revents ? 2 : 0);
}

unsigned caller_columns(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
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
