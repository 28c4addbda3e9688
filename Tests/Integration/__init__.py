"""Acceptance tests: the real daemon, spoken to over its socket, against real and scripted origins."""
