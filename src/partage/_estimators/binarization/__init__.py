"""Discriminants and Logical Analysis of Data."""
