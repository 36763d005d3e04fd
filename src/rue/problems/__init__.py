"""What is to be solved, whatever its form: a game in sequence form, a game by its rules alone, a hold'em spot."""
