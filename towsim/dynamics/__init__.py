"""TERMS: the sub-systems, their free motion, inverse inertia and advance."""
