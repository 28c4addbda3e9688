internal import CLoaded

/// The second token of NTLM, which gss-ntlmssp reads. Inside of SPNEGO each attempt would look for a realm first.
enum SecurityTokenTarget {
  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    guard security_has_ntlm(), let credential = security_credential_make(),
      let context = security_context_make()
    else { return }
    defer {
      security_context_free(context)
      security_credential_free(credential)
    }
    let binding = Array("tls-server-end-point:0123456789abcdef0123456789abcdef".utf8)
    "WW\\reader".withCString { user in
      "sesame".withCString { password in
        "a.example".withCString { host in
          binding.withUnsafeBytes { binding in
            var source = security_source()
            source.mechanism = SECURITY_NTLM
            source.user = user
            source.password = password
            var target = security_target()
            target.host = host
            target.channel_binding = security_bytes(bytes: binding.baseAddress, count: binding.count)
            var token = security_bytes(bytes: nil, count: 0)
            let begun = security_step(
              context, credential, &source, &target, security_bytes(bytes: nil, count: 0), &token)
            security_token_free(&token)
            guard begun == SECURITY_CONTINUE, !input.isEmpty else { return }
            let answered = security_step(
              context, credential, &source, &target,
              security_bytes(bytes: input.baseAddress, count: input.count), &token)
            require(
              answered == SECURITY_CONTINUE || answered == SECURITY_COMPLETE || token.count == 0,
              "a token beside a fault")
            security_token_free(&token)
          }
        }
      }
    }
  }
}
