"""When is the optimum worth it? A question the papers leave open."""
