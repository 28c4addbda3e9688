// CTransport
#include "hashes.h"
