"""Coulomb friction: exact cones, bands of wires that rub, polygons."""
