"""Points on parts."""
