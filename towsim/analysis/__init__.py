"""MEANING: what a result says."""
