"""What a target contributes."""
