"""Rules about imported logs (I…), in a file a subject; each is a function named by its code."""
