"""Made from the protocol's contract by ``protocol/generate``; do not edit."""
