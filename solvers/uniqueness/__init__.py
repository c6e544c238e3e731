"""What a solution leaves open: is w unique, is z, and which z are possible."""
