"""Strict JSON, canonical JSON, digests and names: the ground that evidence stands on."""
