"""Strategies from elsewhere: read from files, fitted to a game, judged, and played against each other."""
