#ifndef SECURITY_NEGOTIATION_TOKEN_H
#define SECURITY_NEGOTIATION_TOKEN_H

#include "security.h"

/// A copy of a server's token (NegTokenResp, RFC 4178 §4.2.2) in which the MIC is where libgssapi 1.21 looks for it, to
/// be freed; null when the token has none, or memory is short.
unsigned char *security_token_with_misplaced_mic(struct security_bytes token);

/// Whether a server's token refuses the client's: a NegTokenResp whose state is `reject`, or a KRB-ERROR (RFC 4120 §5.9.1),
/// alone or inside of one. `code` is the error-code of the KRB-ERROR; 0 when there is none.
bool security_token_is_refusal(struct security_bytes token, uint32_t *code);

#endif
