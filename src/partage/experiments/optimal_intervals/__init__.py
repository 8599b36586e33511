"""FUSINTER against the optimum (Zighed, Rakotomalala, Feschet, 1997)."""
