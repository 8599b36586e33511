"""Points on parts that add up to a prediction of a number."""
