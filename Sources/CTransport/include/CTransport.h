#ifndef CTRANSPORT_H
#define CTRANSPORT_H

#include "certificate.h"
#include "certificate_request.h"
#include "complexity.h"
#include "connection.h"
#include "decoder.h"
#include "descriptors.h"
#include "easy.h"
#include "end_point.h"
#include "evaluation.h"
#include "guard.h"
#include "head.h"
#include "identity.h"
#include "library.h"
#include "memory.h"
#include "multi.h"
#include "negotiated.h"
#include "resumption.h"
#include "sent_heads.h"
#include "signing.h"
#include "staple.h"
#include "stream.h"
#include "suffix.h"
#include "tls.h"
#include "url.h"

#endif
