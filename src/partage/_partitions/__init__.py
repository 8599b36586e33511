"""What came out: rules, parts, costs, edits, explanations."""
