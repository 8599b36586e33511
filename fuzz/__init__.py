"""Hostile input made at random: calls of the core, files, frames. See docs/reliability.md."""
