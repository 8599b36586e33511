"""Methods, settings, limits, and the calls of the compiled searches."""
