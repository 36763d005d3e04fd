"""The explorer: a page on this machine where spots and games are built, solved and walked through."""
