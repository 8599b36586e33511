"""Estimators and the functions beside them."""
