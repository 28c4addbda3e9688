// The parts of Linux that Swift cannot import: macros, unions and packed structs.
#ifndef WATCHWORD_CLINUX_H
#define WATCHWORD_CLINUX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "caller.h"

// Most descriptors sent with one message (messages.md 3.2.2).
#define CLINUX_DESCRIPTORS_MAX 16
// The most that the kernel sends with one message, SCM_MAX_FD: with less room it closes the rest itself, in the
// receiving thread.
#define CLINUX_DESCRIPTORS_ROOM 253

// A set of watched descriptors and the events of the last wait; lives as long as the process.
typedef struct clinux_poller clinux_poller;

clinux_poller *_Nullable clinux_poller_create(void);
// 0, or an errno value. `events` is a combination of the CLINUX_ constants below.
int clinux_poller_add(clinux_poller *_Nonnull poller, int descriptor, uint32_t events, uint64_t token);
int clinux_poller_modify(clinux_poller *_Nonnull poller, int descriptor, uint32_t events, uint64_t token);
int clinux_poller_remove(clinux_poller *_Nonnull poller, int descriptor);
// Waits at most `nanoseconds` (negative: for ever); the number of events, 0 on time-out or a signal.
int clinux_poller_wait(clinux_poller *_Nonnull poller, int64_t nanoseconds);
uint64_t clinux_poller_token(const clinux_poller *_Nonnull poller, int index);
uint32_t clinux_poller_events(const clinux_poller *_Nonnull poller, int index);

#define CLINUX_READABLE 1u
#define CLINUX_WRITABLE 2u
#define CLINUX_HANG_UP 4u

int clinux_eventfd(void);
// A descriptor that reads the given signals, which are blocked for the calling thread; -1 and errno on failure.
int clinux_signalfd(const int *_Nonnull signals, int count);
// The next signal of a signalfd, or 0 when there is none.
int clinux_signalfd_next(int descriptor);

int clinux_memfd_create(const char *_Nonnull name);

// SO_PEERCRED; false and errno on failure.
bool clinux_peer_credentials(
    int descriptor, pid_t *_Nonnull pid, uid_t *_Nonnull uid, gid_t *_Nonnull gid);

// A descriptor for the peer's process (SO_PEERPIDFD), valid even after its pid is reused; it is close-on-exec and
// readable once the process has ended. -1 and errno where the kernel lacks it (before 6.5).
int clinux_peer_pidfd(int descriptor);

// A listening or connecting stream socket at a file-system path; -1 and errno on failure (ENAMETOOLONG included).
int clinux_unix_listen(const char *_Nonnull path, int backlog);
int clinux_unix_connect(const char *_Nonnull path);
// A socket for clinux_send_datagram; -1 and errno on failure.
int clinux_datagram_socket(void);
// Sends one datagram to a socket at a file-system path, without waiting; false and errno on failure.
bool clinux_send_datagram(int descriptor, const char *_Nonnull path, const void *_Nonnull bytes, size_t count);
// A non-blocking, close-on-exec connection; -1 and errno when there is none.
int clinux_accept(int descriptor);

// Whether it is a Unix stream socket that listens.
bool clinux_is_listening(int descriptor);

// sendmsg with MSG_NOSIGNAL | MSG_DONTWAIT (unless `waits`) and SCM_RIGHTS; as send(2).
ssize_t clinux_send(
    int descriptor, const void *_Nullable bytes, size_t count, const int *_Nullable descriptors,
    int descriptor_count, bool waits);
// The descriptors that came with some bytes.
struct clinux_arrived {
  int count;
  // They are more than two messages may carry.
  bool is_excessive;
  // The kernel could not pass all of them, because the process has reached its limit; how many are missing is unknown.
  bool is_incomplete;
};
// recvmsg with MSG_CMSG_CLOEXEC; as recv(2). `descriptors` has room for CLINUX_DESCRIPTORS_ROOM.
ssize_t clinux_receive(
    int descriptor, void *_Nonnull bytes, size_t count, int *_Nonnull descriptors,
    struct clinux_arrived *_Nonnull arrived, bool waits);

// close(2) for a descriptor that another process has created; may block (clinux_receive's do).
//
// Its creator may have set a socket to linger until all written bytes are sent, which we do not want.
void clinux_close_received(int descriptor);

// Starts a program with one end of a pair of packet sockets (SOCK_SEQPACKET) as its standard input, and returns the
// other; -1 and errno on failure. Its output is dropped; a caller that ignores SIGCHLD need not wait for it.
int clinux_spawn_connected(const char *_Nonnull path, char *_Nullable const *_Nonnull arguments);

// Starts a program, in a session and process group of its own, with one end of a pair of stream sockets as its standard
// input and output; sets `connection` to the other. Returns its process id; -1 and errno on failure. What it says on
// its standard error is dropped. `mark`, `NAME=VALUE`, is the first variable of its environment.
pid_t clinux_spawn_helper(
    const char *_Nonnull path, char *_Nullable const *_Nonnull arguments, char *_Nonnull mark,
    int *_Nonnull connection);

// The descriptor by which a daemon speaks with the one that it follows.
enum { CLINUX_PREDECESSOR = 3 };

// Starts a program with the descriptors 0, 1 and 2 of this process, its session and its environment, and one end of a pair
// of stream sockets as CLINUX_PREDECESSOR; sets `connection` to the other. Returns its process id; -1 and errno on failure.
// `mark`, `NAME=VALUE`, is the first variable of its environment. It blocks SIGHUP, SIGUSR1 and SIGUSR2.
pid_t clinux_spawn_successor(
    const char *_Nonnull path, char *_Nullable const *_Nonnull arguments, char *_Nonnull mark,
    int *_Nonnull connection);

// Kills the processes that have this variable, `NAME=VALUE`, in their environment: a helper's descendants, whatever
// group and parent they have. One that has changed its environment, or may not be looked at, stays.
void clinux_end_marked(const char *_Nonnull mark);

// read(2) of a pipe that never waits, whatever its flags; EAGAIN when it has nothing now.
ssize_t clinux_read_pipe(int descriptor, void *_Nonnull bytes, size_t count);
// write(2) to a pipe that never waits, whatever its flags; EAGAIN when it takes nothing now. The bytes go through
// `transit`, the ends of an empty pipe of ours that does not block.
ssize_t clinux_write_pipe(int descriptor, const int transit[_Nonnull 2], const void *_Nonnull bytes, size_t count);
// A pipe, close-on-exec and non-blocking at both ends; -1 and errno on failure.
int clinux_pipe(int ends[_Nonnull 2]);

// Sends one datagram to systemd's notification socket; failures are ignored.
void clinux_notify(const char *_Nonnull path, const char *_Nonnull text);

// Whether a regular file lives in memory (tmpfs, a memfd), where writing never waits.
bool clinux_is_memory_file(int descriptor);

// fstat(2) for a descriptor that another process has created: kind and size as this host knows them.
//
// fstat would ask the file system, and a caller's own (FUSE) may never answer. False when it is closed.
bool clinux_stat(int descriptor, uint32_t *_Nonnull mode, int64_t *_Nonnull size);

// An argument of this process's `main`, of which the first is the program's name; NULL after the last.
const char *_Nullable clinux_argument(int index);

// The device of the file system that a regular file is on, which is not asked either; 0 for other kinds.
uint64_t clinux_file_device(int descriptor);

// The uid that made a socket or pipe, or that a file belongs to, without asking its file system; UINT32_MAX when it is
// closed.
uint32_t clinux_creator(int descriptor);

// O_PATH, which Swift does not see without _GNU_SOURCE.
#define CLINUX_O_PATH 010000000

// Keeps what is opened later from the numbers of standard input and output: one that is closed can neither be read nor
// be written (EBADF).
void clinux_reserve_standard_descriptors(void);

// With mimalloc: what is freed goes back to the system after a millisecond, and not after 25. Until then, in a burst, the
// pieces of what large messages took are held beside what is counted.
void clinux_give_memory_back_early(void);

// No core dumps and not ptraceable (security.md 11); false when the kernel refuses.
bool clinux_protect_process(void);

// Whether another process traces this one, maybe since before that was forbidden; true as well when /proc does not say.
bool clinux_is_traced(void);

/// The same for a program whose commands inherit its limits: not ptraceable, and its descriptors cannot be taken.
bool clinux_forbid_tracing(void);

#endif
