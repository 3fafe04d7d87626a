"""Shapes: typed records of the documents that benchproof reads and writes, and their JSON Schemas.

A record does not verify, save, send or render itself; verbs live in the rooms above.
"""
