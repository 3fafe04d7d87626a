"""Logs of Inspect: ``.eval`` archives, ``.json``, ``.json.gz``."""
