"""Runs that anybody can hold: advanced, paused, asked, saved while they go on, taken up again, exported."""
