"""What benchproof costs beside its peers and beside the limit of the machine: ``make bench`` runs it, no test does."""
