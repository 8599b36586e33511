"""Naive Bayes on parts."""
