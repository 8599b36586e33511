"""Tables, outputs, plots, notebooks, drift."""
