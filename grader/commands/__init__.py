"""The longer commands of the command line: what they print, and with which code they end."""
