#ifndef WATCHWORD_CLIBSECRET_H
#define WATCHWORD_CLIBSECRET_H

#include <libsecret/secret.h>

#endif
