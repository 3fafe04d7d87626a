"""Runs benches: compile a package, plan, ask a model, journal, seal."""
