"""The active set for symmetric semidefinite problems, compiled, and the factorisations that it works with."""
