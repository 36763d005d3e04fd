"""The algorithms: choices at six points of one loop, and a catalogue of named combinations."""
