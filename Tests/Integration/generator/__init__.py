"""`protocol/generate`: what restates the contract is made from it."""
