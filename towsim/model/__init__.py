"""COMPILE: a Scene as flat arrays, the state, and known motions sampled for a block."""
