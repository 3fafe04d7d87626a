"""The other programs: each runs in an environment of its own (.venv-peers), never in ours."""
