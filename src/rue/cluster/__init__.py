"""Work on other machines, by Ray: one solve whose deals are shared out, and many solves at once."""
