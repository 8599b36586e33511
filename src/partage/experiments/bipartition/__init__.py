"""Recursive bipartition of a graph (Ferrandiz, Boullé, 2005)."""
