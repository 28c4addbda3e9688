"""Real servers and scripted origins for the tests; the standard library only."""
