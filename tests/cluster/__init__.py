"""A package, so that what its tests share ends with them: without this file Ray would run until the last test."""
