#ifndef WATCHWORD_CP11KIT_H
#define WATCHWORD_CP11KIT_H

#include <p11-kit/p11-kit.h>
#include <p11-kit/uri.h>

#endif
