"""The archive's rules: one function a code, one file a subject. They judge facts that ``verify`` has read; no I/O."""
