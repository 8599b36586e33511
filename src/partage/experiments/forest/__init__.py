"""Why not just a forest? A question that is in no paper."""
