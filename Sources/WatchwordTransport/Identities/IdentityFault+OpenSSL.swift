internal import CTransport
internal import WatchwordCore
internal import WatchwordVocabulary

extension IdentityFault {
  init(_ fault: transport_identity_fault) {
    switch fault {
    case TRANSPORT_IDENTITY_CERTIFICATES_UNREADABLE: self = .certificatesUnreadable
    case TRANSPORT_IDENTITY_KEY_UNREADABLE: self = .keyUnreadable
    case TRANSPORT_IDENTITY_PKCS12_UNREADABLE: self = .pkcs12Unreadable
    case TRANSPORT_IDENTITY_PASSPHRASE_NEEDED: self = .passphraseNeeded
    case TRANSPORT_IDENTITY_WRONG_PASSPHRASE: self = .wrongPassphrase
    case TRANSPORT_IDENTITY_KEY_MISMATCH: self = .keyMismatch
    case TRANSPORT_IDENTITY_WRONG_PURPOSE: self = .wrongPurpose
    case TRANSPORT_IDENTITY_UNSUPPORTED: self = .unsupported
    case TRANSPORT_IDENTITY_TOO_WEAK: self = .tooWeak
    case TRANSPORT_IDENTITY_TOO_LARGE: self = .tooLarge
    case TRANSPORT_IDENTITY_CERTIFICATE_MISSING: self = .certificateMissing
    default: self = .outOfMemory
    }
  }
}
