"""The distinct values of a column and what each holds."""
