"""What people call for many solves, and for two that are held side by side."""
