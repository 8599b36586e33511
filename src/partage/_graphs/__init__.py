"""Partitions of proximity graphs."""
