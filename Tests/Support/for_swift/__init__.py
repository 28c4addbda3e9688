"""Servers and files of the Swift tests, which start these modules as programs and read what they print."""
