"""Combinatorial data binarization (Mayoraz, Moreira, 1999)."""
