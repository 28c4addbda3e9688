#include "signing.h"

#include <errno.h>
#include <openssl/async.h>
#include <openssl/err.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>

#include "signing_parts.h"
#include "token_wire.h"

enum {
  /// How often a job may be called without an answer: libcurl does so a few times, for its own timers.
  maximum_vain_calls = 10000,
};

static int signing_index = -1;

/// Before OpenSSL 3.2 this is called before anything of the connection is freed.
static const unsigned long first_version_that_frees_before = 0x30200000L;

static void forget_connection(
  void *parent, void *pointer, CRYPTO_EX_DATA *data, int index, long argl, void *argp) {
  struct transport_signing *signing = pointer;
  if (!signing) return;
  if (OpenSSL_version_num() < first_version_that_frees_before) transport_signing_unwind(signing);
  signing->connection = NULL;
}

static void make_index(void) {
  signing_index = SSL_get_ex_new_index(0, NULL, NULL, NULL, forget_connection);
}

/// What the job that runs now waits with. Jobs run on the loop's thread only.
static struct transport_signing *found;

static int find(SSL *connection, void *argument) {
  found = argument;
  return 1;
}

/// Null outside of a job, or in one of another kind.
static struct transport_signing *current(void) {
  ASYNC_JOB *job = ASYNC_get_current_job();
  ASYNC_callback_fn call = NULL;
  void *argument = NULL;
  found = NULL;
  if (job && ASYNC_WAIT_CTX_get_callback(ASYNC_get_wait_ctx(job), &call, &argument) && call) call(argument);
  return found;
}

bool transport_signing_begin(struct transport_signing *signing, SSL *connection) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_index);
  if (signing_index < 0 || !SSL_set_ex_data(connection, signing_index, signing)) return false;
  signing->connection = connection;
  return SSL_set_async_callback(connection, find) && SSL_set_async_callback_arg(connection, signing);
}

struct transport_signing *transport_signing_of(const SSL *connection) {
  return signing_index < 0 ? NULL : SSL_get_ex_data(connection, signing_index);
}

void transport_signing_start_job(SSL *connection) {
  SSL_set_mode(connection, SSL_MODE_ASYNC);
  SSL_do_handshake(connection);
}

static bool is_pending(const struct transport_signing *signing) {
  return signing->state == TRANSPORT_SIGNING_WANTED || signing->state == TRANSPORT_SIGNING_ASKED;
}

enum transport_signing_result transport_signing_wait(
  const uint8_t *request, size_t request_count, const uint8_t **answer, size_t *answer_count) {
  struct transport_signing *signing = current();
  if (!signing || request_count > sizeof signing->request) return TRANSPORT_SIGNING_FAILED;
  memcpy(signing->request, request, request_count);
  signing->request_count = request_count;
  signing->state = TRANSPORT_SIGNING_WANTED;
  for (int calls = 0; is_pending(signing) && calls < maximum_vain_calls; calls++) ASYNC_pause_job();
  bool is_answered = signing->state == TRANSPORT_SIGNING_ANSWERED;
  signing->state = TRANSPORT_SIGNING_OVER;
  // What follows runs on the loop's stack again, from the next call on.
  if (signing->connection) SSL_clear_mode(signing->connection, SSL_MODE_ASYNC);
  if (!is_answered) return signing->is_token_failure ? TRANSPORT_SIGNING_FAILED : TRANSPORT_SIGNING_GIVEN_UP;
  *answer = signing->answer;
  *answer_count = signing->answer_count;
  return TRANSPORT_SIGNING_SIGNED;
}

bool transport_signing_send(const struct transport_signing *signing, int descriptor) {
  ssize_t sent = send(descriptor, signing->request, signing->request_count, MSG_NOSIGNAL | MSG_DONTWAIT);
  return sent == (ssize_t)signing->request_count;
}

int transport_signing_receive(struct transport_signing *signing, int descriptor) {
  ssize_t count = recv(descriptor, signing->answer, sizeof signing->answer, MSG_DONTWAIT | MSG_TRUNC);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
  bool is_signature =
    count > 1 && count <= (ssize_t)sizeof signing->answer && signing->answer[0] == TOKEN_SIGNATURE;
  signing->answer_count = is_signature ? (size_t)count : 0;
  return is_signature ? 1 : -1;
}

void transport_signing_unwind(struct transport_signing *signing) {
  SSL *connection = signing->connection;
  bool waits = signing->state != TRANSPORT_SIGNING_NOT_YET && signing->state != TRANSPORT_SIGNING_OVER;
  if (!connection || !waits || ASYNC_get_current_job()) return;
  signing->state = TRANSPORT_SIGNING_REFUSED;
  // Outside of libcurl, nothing can be written through its own.
  SSL_set_bio(connection, BIO_new(BIO_s_null()), BIO_new(BIO_s_null()));
  SSL_do_handshake(connection);
  ERR_clear_error();
}
