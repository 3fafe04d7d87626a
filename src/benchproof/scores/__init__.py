"""Evidence in, score sheets and tags out: no model is asked."""
