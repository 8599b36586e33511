"""Rules as SQL, Python source and lazy expressions."""
