// A PKCS#11 module that passes every call on to SoftHSM's, but for what the file named by FAULTY_MODULE says:
//   hang-load, crash-load          in C_Initialize
//   hang-login, lock-login         in C_Login: never returns; says that the PIN is locked
//   wait-login                     in C_Login: returns when the file says something else
//   interrupt-login                in C_Login: from then on a signal comes in every 0.2 ms, and is handled
//   keypad                         in C_GetTokenInfo, C_Login: the PIN is typed into the reader, that is, the file with `.pin`
//   hang-sign, crash-sign, fail-sign, wrong-sign  in C_Sign: the last changes a bit of the signature
//   wait-sign                      in C_Sign: adds a line to the file with `.signing`, returns when the file says something else,
//                                  or there is a file with `.through`, which it removes
//   hide-value                     in C_GetAttributeValue: the first certificate that is asked for is not there
//   crowd, lie                     in C_GetSlotList: says that there are more slots than fit, or have been given
// The file is read at each of these calls.

#define CRYPTOKI_COMPAT
#include <dlfcn.h>
#include <p11-kit/pkcs11.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static CK_FUNCTION_LIST *real;
static CK_FUNCTION_LIST list;

static size_t read_file(const char *suffix, char *text, int room) {
  char path[1024];
  snprintf(path, sizeof path, "%s%s", getenv("FAULTY_MODULE"), suffix);
  FILE *file = fopen(path, "r");
  if (!file || !fgets(text, room, file)) text[0] = 0;
  if (file) fclose(file);
  return strlen(text);
}

static int is_to(const char *fault) {
  char text[32];
  read_file("", text, sizeof text);
  return strcmp(text, fault) == 0;
}

static void hang(void) {
  for (;;) pause();
}

static void ignore(int number) { (void)number; }

static void interrupt(void) {
  struct sigaction action = {.sa_handler = ignore};
  struct itimerval often = {{0, 200}, {0, 200}};
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &often, NULL);
}

static CK_RV initialize(void *arguments) {
  if (is_to("hang-load")) hang();
  if (is_to("crash-load")) abort();
  return real->C_Initialize(arguments);
}

static CK_RV login(CK_SESSION_HANDLE session, CK_USER_TYPE user, CK_UTF8CHAR *pin, CK_ULONG count) {
  char typed[64];
  if (is_to("hang-login")) hang();
  while (is_to("wait-login")) usleep(1000);
  if (is_to("lock-login")) return CKR_PIN_LOCKED;
  if (is_to("interrupt-login")) interrupt();
  if (is_to("keypad")) {
    if (pin || count > 0) return CKR_ARGUMENTS_BAD;
    count = read_file(".pin", typed, sizeof typed);
    pin = (CK_UTF8CHAR *)typed;
  }
  return real->C_Login(session, user, pin, count);
}

static void wait_to_sign(void) {
  char path[1024];
  snprintf(path, sizeof path, "%s.signing", getenv("FAULTY_MODULE"));
  FILE *file = fopen(path, "a");
  if (file) fputs("signing\n", file);
  if (file) fclose(file);
  snprintf(path, sizeof path, "%s.through", getenv("FAULTY_MODULE"));
  while (is_to("wait-sign") && unlink(path) != 0) usleep(1000);
}

static CK_RV sign(CK_SESSION_HANDLE session, CK_BYTE *data, CK_ULONG count, CK_BYTE *signature, CK_ULONG *length) {
  if (is_to("hang-sign")) hang();
  if (is_to("wait-sign")) wait_to_sign();
  if (is_to("crash-sign")) abort();
  if (is_to("fail-sign")) return CKR_DEVICE_ERROR;
  CK_RV result = real->C_Sign(session, data, count, signature, length);
  if (result == CKR_OK && signature && is_to("wrong-sign")) signature[*length / 2] ^= 1;
  return result;
}

static CK_RV attributes(
  CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, CK_ATTRIBUTE *wanted, CK_ULONG count) {
  static int values;
  if (count == 1 && wanted->type == CKA_VALUE && is_to("hide-value") && values++ == 0) {
    return CKR_ATTRIBUTE_VALUE_INVALID;
  }
  return real->C_GetAttributeValue(session, object, wanted, count);
}

static CK_RV token_information(CK_SLOT_ID slot, CK_TOKEN_INFO *information) {
  CK_RV result = real->C_GetTokenInfo(slot, information);
  if (result == CKR_OK && is_to("keypad")) information->flags |= CKF_PROTECTED_AUTHENTICATION_PATH;
  return result;
}

static CK_RV slots(CK_BBOOL present, CK_SLOT_ID *slots, CK_ULONG *count) {
  if (is_to("crowd")) {
    *count = 100000;
    return CKR_BUFFER_TOO_SMALL;
  }
  if (is_to("lie")) {
    *count = 100000;
    return CKR_OK;
  }
  return real->C_GetSlotList(present, slots, count);
}

CK_RV C_GetFunctionList(CK_FUNCTION_LIST **given) {
  void *module = dlopen("/usr/lib/softhsm/libsofthsm2.so", RTLD_NOW | RTLD_LOCAL);
  CK_RV (*get)(CK_FUNCTION_LIST **) = NULL;
  if (module) *(void **)&get = dlsym(module, "C_GetFunctionList");
  if (!get || get(&real) != CKR_OK) return CKR_GENERAL_ERROR;
  list = *real;
  list.C_Initialize = initialize;
  list.C_Login = login;
  list.C_Sign = sign;
  list.C_GetSlotList = slots;
  list.C_GetTokenInfo = token_information;
  list.C_GetAttributeValue = attributes;
  *given = &list;
  return CKR_OK;
}
