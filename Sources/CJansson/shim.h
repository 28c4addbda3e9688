#include <jansson.h>
#include <malloc.h>
