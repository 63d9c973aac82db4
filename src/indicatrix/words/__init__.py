"""Words: messages, spelling and hints, and what is said of calls that do not fit."""
