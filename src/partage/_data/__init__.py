"""Tables and columns: reading, kinds, values, keys."""
