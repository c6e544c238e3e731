"""FORMULATIONS: the same mechanics written in several ways, to compare, to teach, and to be each other's witness."""
