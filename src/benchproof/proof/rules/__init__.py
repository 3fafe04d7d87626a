"""Rules about packed proofs, one function a code."""
