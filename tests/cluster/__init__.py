"""Tests on a Ray cluster; a package, so that its fixtures end with it: otherwise Ray would run until the last test."""
