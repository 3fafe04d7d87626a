"""Pages that open without a network: run reports."""
