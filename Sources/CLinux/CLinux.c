#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/stat.h>
#include <unistd.h>

// Events that one turn reads from the kernel; further ones wait for the next turn. With fewer, an
// account with many ready connections delays the others. Unused pages of the array take no memory.
#define EVENTS_PER_TURN 8192

struct clinux_poller {
  int descriptor;
  struct epoll_event events[EVENTS_PER_TURN];
};

clinux_poller *clinux_poller_create(void) {
  clinux_poller *poller = calloc(1, sizeof *poller);
  if (!poller) return NULL;
  poller->descriptor = epoll_create1(EPOLL_CLOEXEC);
  if (poller->descriptor < 0) {
    free(poller);
    return NULL;
  }
  return poller;
}

static int control(clinux_poller *poller, int operation, int descriptor, uint32_t events, uint64_t token) {
  struct epoll_event event = {.data.u64 = token};
  if (events & CLINUX_READABLE) event.events |= EPOLLIN | EPOLLRDHUP;
  if (events & CLINUX_WRITABLE) event.events |= EPOLLOUT;
  return epoll_ctl(poller->descriptor, operation, descriptor, &event) == 0 ? 0 : errno;
}

int clinux_poller_add(clinux_poller *poller, int descriptor, uint32_t events, uint64_t token) {
  return control(poller, EPOLL_CTL_ADD, descriptor, events, token);
}

int clinux_poller_modify(clinux_poller *poller, int descriptor, uint32_t events, uint64_t token) {
  return control(poller, EPOLL_CTL_MOD, descriptor, events, token);
}

int clinux_poller_remove(clinux_poller *poller, int descriptor) {
  return control(poller, EPOLL_CTL_DEL, descriptor, 0, 0);
}

int clinux_poller_wait(clinux_poller *poller, int64_t nanoseconds) {
  struct timespec limit = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  int count = epoll_pwait2(
      poller->descriptor, poller->events, EVENTS_PER_TURN, nanoseconds < 0 ? NULL : &limit, NULL);
  if (count < 0 && errno == ENOSYS) {
    int64_t milliseconds = nanoseconds < 0 ? -1 : (nanoseconds + 999999) / 1000000;
    count = epoll_wait(
        poller->descriptor, poller->events, EVENTS_PER_TURN,
        milliseconds > 86400000 ? 86400000 : (int)milliseconds);
  }
  return count < 0 ? 0 : count;
}

uint64_t clinux_poller_token(const clinux_poller *poller, int index) { return poller->events[index].data.u64; }

uint32_t clinux_poller_events(const clinux_poller *poller, int index) {
  uint32_t raw = poller->events[index].events, events = 0;
  if (raw & (EPOLLIN | EPOLLRDHUP)) events |= CLINUX_READABLE;
  if (raw & EPOLLOUT) events |= CLINUX_WRITABLE;
  if (raw & (EPOLLHUP | EPOLLERR)) events |= CLINUX_HANG_UP;
  return events;
}

int clinux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int clinux_signalfd(const int *signals, int count) {
  sigset_t set;
  sigemptyset(&set);
  for (int index = 0; index < count; index++) sigaddset(&set, signals[index]);
  if (pthread_sigmask(SIG_BLOCK, &set, NULL) != 0) return -1;
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int clinux_signalfd_next(int descriptor) {
  struct signalfd_siginfo information;
  return read(descriptor, &information, sizeof information) == (ssize_t)sizeof information
             ? (int)information.ssi_signo
             : 0;
}

int clinux_memfd_create(const char *name) { return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING); }

bool clinux_peer_credentials(int descriptor, pid_t *pid, uid_t *uid, gid_t *gid) {
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return false;
  *pid = credentials.pid;
  *uid = credentials.uid;
  *gid = credentials.gid;
  return true;
}

// Linux 6.5; older headers do not define it.
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

int clinux_peer_pidfd(int descriptor) {
  int pidfd = -1;
  socklen_t size = sizeof pidfd;
  return getsockopt(descriptor, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &size) == 0 ? pidfd : -1;
}

static bool unix_address(const char *path, struct sockaddr_un *address) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (strlen(path) >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return false;
  }
  strcpy(address->sun_path, path);
  return true;
}

static int fail(int descriptor) {
  int reason = errno;
  close(descriptor);
  errno = reason;
  return -1;
}

int clinux_unix_listen(const char *path, int backlog) {
  struct sockaddr_un address;
  if (!unix_address(path, &address)) return -1;
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -1;
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0) return fail(descriptor);
  if (listen(descriptor, backlog) != 0) return fail(descriptor);
  return descriptor;
}

int clinux_unix_connect(const char *path) {
  struct sockaddr_un address;
  if (!unix_address(path, &address)) return -1;
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) return fail(descriptor);
  return descriptor;
}

int clinux_datagram_socket(void) { return socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

bool clinux_send_datagram(int descriptor, const char *path, const void *bytes, size_t count) {
  struct sockaddr_un address;
  if (!unix_address(path, &address)) return false;
  int flags = MSG_NOSIGNAL | MSG_DONTWAIT;
  return sendto(descriptor, bytes, count, flags, (struct sockaddr *)&address, sizeof address) == (ssize_t)count;
}

int clinux_accept(int descriptor) { return accept4(descriptor, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

static bool has_option(int descriptor, int name, int value) {
  int found = -1;
  socklen_t size = sizeof found;
  return getsockopt(descriptor, SOL_SOCKET, name, &found, &size) == 0 && found == value;
}

bool clinux_is_listening(int descriptor) {
  return has_option(descriptor, SO_DOMAIN, AF_UNIX) && has_option(descriptor, SO_TYPE, SOCK_STREAM) &&
         has_option(descriptor, SO_ACCEPTCONN, 1);
}

ssize_t clinux_send(
    int descriptor, const void *bytes, size_t count, const int *descriptors, int descriptor_count, bool waits) {
  int flags = MSG_NOSIGNAL | (waits ? 0 : MSG_DONTWAIT);
  if (descriptor_count <= 0 || !descriptors) return send(descriptor, bytes, count, flags);
  if (descriptor_count > CLINUX_DESCRIPTORS_MAX) {
    errno = EINVAL;
    return -1;
  }
  union {
    char buffer[CMSG_SPACE(sizeof(int) * CLINUX_DESCRIPTORS_MAX)];
    struct cmsghdr align;
  } control;
  memset(&control, 0, sizeof control);
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.buffer};
  message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)descriptor_count);
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)descriptor_count);
  memcpy(CMSG_DATA(header), descriptors, sizeof(int) * (size_t)descriptor_count);
  return sendmsg(descriptor, &message, flags);
}

ssize_t clinux_receive(
    int descriptor, void *bytes, size_t count, int *descriptors, struct clinux_arrived *arrived, bool waits) {
  union {
    char buffer[CMSG_SPACE(sizeof(int) * CLINUX_DESCRIPTORS_ROOM)];
    struct cmsghdr align;
  } control;
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.buffer};
  message.msg_controllen = sizeof control.buffer;
  *arrived = (struct clinux_arrived){0};
  ssize_t received = recvmsg(descriptor, &message, MSG_CMSG_CLOEXEC | (waits ? 0 : MSG_DONTWAIT));
  if (received < 0) return received;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    int found = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    for (int index = 0; index < found; index++) {
      int one;
      memcpy(&one, CMSG_DATA(header) + sizeof(int) * (size_t)index, sizeof one);
      if (arrived->count < CLINUX_DESCRIPTORS_ROOM) descriptors[arrived->count++] = one;
      else close(one);
    }
  }
  // There is room for the most that one sendmsg(2) can send: nothing is cut for lack of it.
  arrived->is_incomplete = message.msg_flags & MSG_CTRUNC;
  arrived->is_excessive = arrived->count > CLINUX_DESCRIPTORS_MAX * 2;
  return received;
}

void clinux_close_received(int descriptor) {
  struct linger linger;
  socklen_t length = sizeof linger;
  if (getsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, &length) == 0 && linger.l_onoff && linger.l_linger > 0) {
    linger.l_onoff = 0;
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
  }
  close(descriptor);
}

void clinux_reserve_standard_descriptors(void) {
  // The lowest number that is free is always the next one.
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++) {
    if (fcntl(number, F_GETFD) < 0) (void)open("/", O_PATH);
  }
}

bool clinux_forbid_tracing(void) { return prctl(PR_SET_DUMPABLE, 0) == 0; }

bool clinux_is_traced(void) {
  char text[4096];
  int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file < 0) return true;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  text[count > 0 ? count : 0] = '\0';
  return strstr(text, "\nTracerPid:\t0\n") == NULL;
}

bool clinux_protect_process(void) {
  struct rlimit none = {0, 0};
  return clinux_forbid_tracing() && setrlimit(RLIMIT_CORE, &none) == 0;
}

bool clinux_is_memory_file(int descriptor) {
  // fstatfs would ask the file system, and wait for it.
  return fcntl(descriptor, F_GET_SEALS) >= 0;
}

bool clinux_stat(int descriptor, uint32_t *mode, int64_t *size) {
  struct statx status;
  const unsigned wanted = STATX_TYPE | STATX_SIZE;
  if (statx(descriptor, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, wanted, &status) != 0) return false;
  *mode = status.stx_mode;
  *size = (int64_t)status.stx_size;
  return true;
}

uint64_t clinux_file_device(int descriptor) {
  struct statx status;
  if (statx(descriptor, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE, &status) != 0) return 0;
  if (!S_ISREG(status.stx_mode)) return 0;
  return (uint64_t)status.stx_dev_major << 32 | status.stx_dev_minor;
}

uint32_t clinux_creator(int descriptor) {
  struct statx status;
  int failure = statx(descriptor, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_UID, &status);
  return failure != 0 ? UINT32_MAX : status.stx_uid;
}

int clinux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK); }

ssize_t clinux_read_pipe(int descriptor, void *bytes, size_t count) {
  struct iovec target = {.iov_base = bytes, .iov_len = count};
  return vmsplice(descriptor, &target, 1, SPLICE_F_NONBLOCK);
}

ssize_t clinux_write_pipe(int descriptor, const int transit[2], const void *bytes, size_t count) {
  ssize_t held = write(transit[1], bytes, count);
  if (held <= 0) return held;
  ssize_t moved = splice(transit[0], NULL, descriptor, NULL, (size_t)held, SPLICE_F_NONBLOCK);
  int reason = errno;
  // The caller still has what was not moved.
  char rest[4096];
  for (ssize_t left = held - (moved > 0 ? moved : 0); left > 0;) {
    ssize_t taken = read(transit[0], rest, sizeof rest);
    if (taken <= 0) break;
    left -= taken;
  }
  explicit_bzero(rest, sizeof rest);
  errno = reason;
  return moved;
}

void clinux_notify(const char *path, const char *text) {
  struct sockaddr_un address;
  if (!unix_address(path, &address)) return;
  // '@' stands for the NUL byte that begins an abstract name.
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';
  int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return;
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
  (void)!sendto(descriptor, text, strlen(text), MSG_NOSIGNAL, (struct sockaddr *)&address, size);
  close(descriptor);
}
