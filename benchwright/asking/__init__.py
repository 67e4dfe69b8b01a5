"""Asking vision-language models: requests, the client that loses nothing, reading the answers."""
