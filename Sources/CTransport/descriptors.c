#define _GNU_SOURCE
#include "descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

enum transport_descriptor_kind transport_descriptor_kind(int descriptor) {
  struct stat status;
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fstat(descriptor, &status) != 0) return TRANSPORT_UNUSABLE;
  if ((flags & O_PATH) || (flags & O_ACCMODE) == O_WRONLY) return TRANSPORT_UNUSABLE;
  if (S_ISREG(status.st_mode)) return TRANSPORT_FILE;
  if (S_ISFIFO(status.st_mode)) return TRANSPORT_PIPE;
  if (S_ISSOCK(status.st_mode)) return TRANSPORT_SOCKET;
  return TRANSPORT_UNUSABLE;
}

/// For kernels that cannot copy a pipe out without blocking: reads no more than is known to be available. Another
/// reader of the same pipe could still take it first, which `vmsplice` allows for: a pipe that blocks is not read.
static ssize_t read_available(int descriptor, void *bytes, size_t count) {
  if (!(fcntl(descriptor, F_GETFL) & O_NONBLOCK)) {
    errno = EOPNOTSUPP;
    return -1;
  }
  struct pollfd state = {.fd = descriptor, .events = POLLIN};
  int available = 0;
  if (poll(&state, 1, 0) < 0 || ioctl(descriptor, FIONREAD, &available) != 0) return -1;
  if (available <= 0) {
    if (state.revents & (POLLHUP | POLLERR)) return 0;
    errno = EAGAIN;
    return -1;
  }
  return read(descriptor, bytes, (size_t)available < count ? (size_t)available : count);
}

ssize_t transport_read_stream(
  int descriptor, enum transport_descriptor_kind kind, void *bytes, size_t count) {
  ssize_t result;
  do {
    if (kind == TRANSPORT_SOCKET) {
      result = recv(descriptor, bytes, count, MSG_DONTWAIT);
    } else {
      struct iovec target = {.iov_base = bytes, .iov_len = count};
      result = vmsplice(descriptor, &target, 1, SPLICE_F_NONBLOCK);
      if (result < 0 && (errno == EINVAL || errno == ENOSYS || errno == EPERM || errno == EBADF)) {
        result = read_available(descriptor, bytes, count);
      }
    }
  } while (result < 0 && errno == EINTR);
  return result;
}

static bool is_in_memory(int descriptor) {
  struct statfs system;
  return fstatfs(descriptor, &system) == 0 && system.f_type == TMPFS_MAGIC;
}

ssize_t transport_read_cached(int descriptor, void *bytes, size_t count, int64_t offset) {
  struct iovec target = {.iov_base = bytes, .iov_len = count};
  ssize_t result;
  int flags = RWF_NOWAIT;
  do {
    result = preadv2(descriptor, &target, 1, offset, flags);
    // tmpfs has nothing else than the page cache, and does not know the flag.
    if (result < 0 && errno == EOPNOTSUPP && flags != 0 && is_in_memory(descriptor)) {
      flags = 0;
      errno = EINTR;
    }
  } while (result < 0 && errno == EINTR);
  return result;
}

bool transport_is_readable(int descriptor) {
  struct pollfd wanted = {.fd = descriptor, .events = POLLIN | POLLRDHUP};
  return poll(&wanted, 1, 0) > 0;
}

long transport_local_port(int descriptor) {
  union {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
  } address = {0};
  socklen_t size = sizeof address;
  if (getsockname(descriptor, &address.any, &size) != 0) return 0;
  switch (address.any.sa_family) {
  case AF_INET: return ntohs(address.v4.sin_port);
  case AF_INET6: return ntohs(address.v6.sin6_port);
  default: return 0;
  }
}

bool transport_replace_by_closed(int descriptor) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  bool is_replaced = dup3(ends[0], descriptor, O_CLOEXEC) >= 0;
  close(ends[0]);
  close(ends[1]);
  return is_replaced;
}
