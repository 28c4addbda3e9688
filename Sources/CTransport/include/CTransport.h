// CTransport
