#ifndef WATCHWORD_CALLER_H
#define WATCHWORD_CALLER_H

/* The parts of Linux that the command line needs and Swift cannot import: GNU extensions, macros and unions. */

#include <signal.h>
#include <sys/types.h>

/* Makes a pipe with close-on-exec on both ends; 0, or -1 with errno. */
int caller_pipe(int ends[2]);

/* Enlarges a pipe as far as the system allows; a failure changes nothing. */
void caller_enlarge_pipe(int descriptor, int bytes);

/* Moves bytes from a pipe without copying them through this process; as splice(2). */
ssize_t caller_splice(int from, int to, size_t count);

/* Starts a program with standard output to output (-1: the null device), our standard input and our standard
   error, and no other descriptor. A detached program reads from the null device, writes its errors to output as
   well, leads a session of its own and runs in the root directory. Signals are as in a fresh process. Returns the
   pid, or -1 with errno. */
pid_t caller_spawn(const char *path, char *const arguments[], int output, int detached);

/* Starts a program that is searched for in PATH with our environment, standard streams and every descriptor that is not
   close-on-exec; it blocks no signal. Returns the pid, or -1 with errno. */
pid_t caller_run(char *const arguments[]);

/* The next signal of a signalfd, or 0 when there is none; whether the kernel has sent it, as for a key of the terminal. */
int caller_next_signal(int descriptor, int *is_of_kernel);

/* Waits until one of two descriptors (-1: none) is readable or has hung up; unblocks the given signals meanwhile.
   Bit 0 for the first, bit 1 for the second; 0 after the timeout (negative: none); -1 with errno. */
int caller_wait(int first, int second, int milliseconds, const sigset_t *signals);

/* The size of a terminal in characters, 0 when it is none or does not know. */
struct caller_window {
  unsigned columns, rows;
};
struct caller_window caller_window(int descriptor);

/* Whether the descriptor is the null device. */
int caller_is_null_device(int descriptor);

/* An extended attribute of a file, and setting one on an open file; as getxattr(2) and fsetxattr(2). */
ssize_t caller_get_attribute(const char *path, const char *name, char *value, size_t size);
int caller_set_attribute(int descriptor, const char *name, const char *value, size_t size);

#endif
