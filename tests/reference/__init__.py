"""Slow, obvious twins of the library, straight from the formulas; nothing here imports partage."""
