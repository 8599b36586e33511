"""Evaluation of partitions of a graph (Ferrandiz, Boullé, 2006)."""
