"""Why, verify, rerun: from a printed number back to its bytes."""
