"""Additive models: one averaged curve for each column, one lattice for each pair that pays."""
