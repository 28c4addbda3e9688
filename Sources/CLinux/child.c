#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

extern char **environ;

/// Starts a program with only the descriptors below `kept`, as set up by the actions; it ignores no signal, and blocks those
/// of `blocked`. Returns the pid; -1 and errno on failure.
static pid_t spawn_keeping(
    int kept, const sigset_t *blocked, const char *path, char *const arguments[], char *const environment[],
    posix_spawn_file_actions_t *actions, int is_detached) {
  posix_spawnattr_t attributes;
  pid_t pid = -1;
  int reason = posix_spawnattr_init(&attributes);
  if (reason == 0) {
    sigset_t all;
    sigfillset(&all);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (is_detached ? POSIX_SPAWN_SETSID : 0);
    reason = posix_spawn_file_actions_addclosefrom_np(actions, kept);
    if (reason == 0) reason = posix_spawnattr_setsigmask(&attributes, blocked);
    if (reason == 0) reason = posix_spawnattr_setsigdefault(&attributes, &all);
    if (reason == 0) reason = posix_spawnattr_setflags(&attributes, flags);
    if (reason == 0) reason = posix_spawn(&pid, path, actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
  }
  if (reason == 0) return pid;
  errno = reason;
  return -1;
}

static pid_t spawn(
    const char *path, char *const arguments[], char *const environment[], posix_spawn_file_actions_t *actions,
    int is_detached) {
  sigset_t none;
  sigemptyset(&none);
  return spawn_keeping(3, &none, path, arguments, environment, actions, is_detached);
}

pid_t caller_spawn(const char *path, char *const arguments[], int output, int detached) {
  posix_spawn_file_actions_t actions;
  int reason = posix_spawn_file_actions_init(&actions);
  if (reason != 0) {
    errno = reason;
    return -1;
  }
  if (detached || output < 0) reason = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (reason == 0 && output >= 0) reason = posix_spawn_file_actions_adddup2(&actions, output, 1);
  if (reason == 0 && output < 0) reason = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  if (reason == 0 && detached) reason = posix_spawn_file_actions_adddup2(&actions, 1, 2);
  if (reason == 0 && detached) reason = posix_spawn_file_actions_addchdir_np(&actions, "/");
  pid_t pid = reason == 0 ? spawn(path, arguments, environ, &actions, detached) : -1;
  int failure = reason == 0 ? errno : reason;
  posix_spawn_file_actions_destroy(&actions);
  errno = failure;
  return pid;
}

int clinux_spawn_connected(const char *path, char *const arguments[]) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  posix_spawn_file_actions_t actions;
  int reason = posix_spawn_file_actions_init(&actions);
  if (reason == 0) {
    // The output of a module is dropped.
    reason = posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
    if (reason == 0) reason = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (reason == 0) reason = posix_spawn_file_actions_adddup2(&actions, 1, 2);
    if (reason == 0) reason = posix_spawn_file_actions_addchdir_np(&actions, "/");
    if (reason == 0 && spawn(path, arguments, environ, &actions, 1) < 0) reason = errno;
    posix_spawn_file_actions_destroy(&actions);
  }
  close(ends[1]);
  if (reason == 0) return ends[0];
  close(ends[0]);
  errno = reason;
  return -1;
}

pid_t caller_run(char *const arguments[]) {
  posix_spawnattr_t attributes;
  pid_t pid = -1;
  int reason = posix_spawnattr_init(&attributes);
  if (reason == 0) {
    sigset_t none;
    sigemptyset(&none);
    reason = posix_spawnattr_setsigmask(&attributes, &none);
    if (reason == 0) reason = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    if (reason == 0) reason = posix_spawnp(&pid, arguments[0], NULL, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
  }
  if (reason == 0) return pid;
  errno = reason;
  return -1;
}

// The environment with one more variable before the others; free it.
static char **marked_environment(char *mark) {
  size_t count = 0;
  while (environ != NULL && environ[count] != NULL) count++;
  char **marked = malloc((count + 2) * sizeof *marked);
  if (marked == NULL) return NULL;
  marked[0] = mark;
  if (count > 0) memcpy(marked + 1, environ, count * sizeof *marked);
  marked[count + 1] = NULL;
  return marked;
}

/// The child has its end of the pair, or was not started for this reason.
static pid_t keep_connection(pid_t pid, int reason, const int ends[2], int *connection) {
  close(ends[1]);
  if (reason == 0) {
    *connection = ends[0];
    return pid;
  }
  close(ends[0]);
  errno = reason;
  return -1;
}

static pid_t spawn_helper(
    const char *path, char *const arguments[], char *const environment[], int *connection) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  posix_spawn_file_actions_t actions;
  pid_t pid = -1;
  int reason = posix_spawn_file_actions_init(&actions);
  if (reason == 0) {
    reason = posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
    if (reason == 0) reason = posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    if (reason == 0) reason = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    if (reason == 0) reason = posix_spawn_file_actions_addchdir_np(&actions, "/");
    if (reason == 0 && (pid = spawn(path, arguments, environment, &actions, 1)) < 0)
      reason = errno;
    posix_spawn_file_actions_destroy(&actions);
  }
  return keep_connection(pid, reason, ends, connection);
}

pid_t clinux_spawn_helper(const char *path, char *const arguments[], char *mark, int *connection) {
  char **environment = marked_environment(mark);
  if (environment == NULL) return -1;
  pid_t pid = spawn_helper(path, arguments, environment, connection);
  int failure = errno;
  free(environment);
  errno = failure;
  return pid;
}

pid_t clinux_spawn_successor(const char *path, char *const arguments[], char *mark, int *connection) {
  char **environment = marked_environment(mark);
  if (environment == NULL) return -1;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    free(environment);
    return -1;
  }
  posix_spawn_file_actions_t actions;
  pid_t pid = -1;
  int reason = posix_spawn_file_actions_init(&actions);
  if (reason == 0) {
    // A copy to the same number would keep the mark that closes it.
    int end = ends[1] == CLINUX_PREDECESSOR ? dup(ends[1]) : ends[1];
    reason = end < 0 ? errno : posix_spawn_file_actions_adddup2(&actions, end, CLINUX_PREDECESSOR);
    if (reason == 0) {
      // Until it serves, what is sent to every daemon of the host would end it.
      sigset_t blocked;
      sigemptyset(&blocked);
      sigaddset(&blocked, SIGHUP);
      sigaddset(&blocked, SIGUSR1);
      sigaddset(&blocked, SIGUSR2);
      pid = spawn_keeping(CLINUX_PREDECESSOR + 1, &blocked, path, arguments, environment, &actions, 0);
      if (pid < 0) reason = errno;
    }
    if (end >= 0 && end != ends[1]) close(end);
    posix_spawn_file_actions_destroy(&actions);
  }
  free(environment);
  return keep_connection(pid, reason, ends, connection);
}
