"""Six grouping methods on the waves (Boullé, 2005)."""
