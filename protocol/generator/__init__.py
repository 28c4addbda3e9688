"""Makes what only restates the protocol's contract: `openrpc.json` and `errors.json`."""
